import type { ReactNode } from 'react';
import { t } from '../lib/i18n.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

/** The footer of an edit dialog after someone else changed the record. */
export const ConflictButtons = ({
  busy,
  onUseTheirs,
}: {
  readonly busy: boolean;
  readonly onUseTheirs: () => void;
}) => (
  <>
    <Button onClick={onUseTheirs}>{t('Use theirs')}</Button>
    <Button type="submit" variant="primary" busy={busy}>
      {t('Save mine')}
    </Button>
  </>
);

const changed = {
  campaign: t("Someone else changed this campaign while you were editing. Your changes haven't been saved."),
  channel: t("Someone else changed this channel while you were editing. Your changes haven't been saved."),
  endpoint: t("Someone else changed this endpoint while you were editing. Your changes haven't been saved."),
} as const;

/** Both versions of a record that someone else changed during editing. */
export const ConflictComparison = ({
  kind,
  theirs,
  yours,
}: {
  readonly kind: keyof typeof changed;
  readonly theirs: ReactNode;
  readonly yours: ReactNode;
}) => (
  <>
    <Notice tone="warn">{changed[kind]}</Notice>
    <div className="grid gap-3 sm:grid-cols-2">
      {(
        [
          [t('Their version (saved)'), theirs],
          [t('Your version (not saved)'), yours],
        ] as const
      ).map(([title, version]) => (
        <section key={title} aria-label={title} className="rounded-xl border border-line p-3 text-sm">
          <h3 className="mb-1 font-medium">{title}</h3>
          {version}
        </section>
      ))}
    </div>
  </>
);
