import { lazy, Suspense } from 'react';
import { loadChunk } from '../../../api/load-chunk.ts';
import { t } from '../../../lib/i18n.ts';
import { CopyButton } from '../../../ui/copy.tsx';
import { Section } from '../../../ui/page.tsx';
import { Skeleton } from '../../../ui/states.tsx';

const JsonText = lazy(async () => ({
  default: (await loadChunk(() => import('../readers.ts'))).JsonText,
}));

const isEmpty = (config: string): boolean => /^\{\s*\}$/.test(config.trim());

/** The configuration of a version, read-only and as it was sent. */
export const VersionConfig = ({ label, config }: { readonly label: string; readonly config: string }) => (
  <Section
    title={t('Configuration')}
    actions={
      !isEmpty(config) && (
        <CopyButton text={config} size="small">
          {t('Copy configuration')}
        </CopyButton>
      )
    }
  >
    {isEmpty(config) ? (
      <p className="text-sm text-muted">{t('This version has no configuration.')}</p>
    ) : (
      <Suspense fallback={<Skeleton className="h-40 w-full" />}>
        <JsonText label={t('Configuration of {label}', { label })} text={config} />
      </Suspense>
    )}
  </Section>
);
