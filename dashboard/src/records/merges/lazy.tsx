import { LazyDialog, type PropsOf } from '../../app/lazy-dialog.tsx';
import { t } from '../../lib/i18n.ts';

const load = () => import('./dialog.tsx');

/** The dialog that merges contacts, loaded when it opens. */
export const MergeContacts = (props: PropsOf<typeof load>) => (
  <LazyDialog title={t('Merge contacts')} load={load} props={props} />
);
