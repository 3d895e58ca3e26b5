import { jsonDifferences } from '../../../lib/differences.ts';
import { t } from '../../../lib/i18n.ts';
import { Notice } from '../../../ui/notice.tsx';
import { ConfigChanges } from '../config/changes-list.tsx';
import type { Content } from '../version-query.ts';
import DiffView from './diff.tsx';

/** What differs between two versions: the instructions as a diff of texts, the config by its paths. */
const VersionDiff = ({
  before,
  after,
}: {
  readonly before: Content & { readonly label: string };
  readonly after: Content & { readonly label: string };
}) => {
  const changes = jsonDifferences(before.config, after.config);
  const isSameText = before.text === after.text;
  const isSameConfig = changes?.length === 0;
  if (isSameText && isSameConfig)
    return (
      <Notice>
        {before.config.trim() === after.config.trim()
          ? t('The versions are identical.')
          : t('The versions differ only in how the configuration is formatted.')}
      </Notice>
    );
  return (
    <div className="flex flex-col gap-5">
      <section aria-label={t('Instructions')}>
        <h3 className="mb-1.5 text-sm font-medium">{t('Instructions')}</h3>
        {isSameText ? (
          <p className="text-sm text-muted">{t('The instructions are identical.')}</p>
        ) : (
          <DiffView
            before={{ label: before.label, text: before.text }}
            after={{ label: after.label, text: after.text }}
          />
        )}
      </section>
      <section aria-label={t('Configuration')}>
        <h3 className="mb-1.5 text-sm font-medium">{t('Configuration')}</h3>
        {changes === undefined ? (
          <p className="text-sm text-muted">{t('The edited configuration is not valid JSON yet.')}</p>
        ) : isSameConfig ? (
          <p className="text-sm text-muted">{t('The configurations are identical.')}</p>
        ) : (
          <ConfigChanges changes={changes} />
        )}
      </section>
    </div>
  );
};

export default VersionDiff;
