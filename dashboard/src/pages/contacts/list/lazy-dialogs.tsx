import { LazyDialog, type PropsOf } from '../../../app/lazy-dialog.tsx';
import { t } from '../../../lib/i18n.ts';

/* Dialogs that are loaded when they open, because no page needs them to be shown. */

const loadAddContact = () => import('./create.tsx');
const loadBulkTag = () => import('./bulk-tag.tsx');
const loadBulkEnroll = () => import('./bulk-enroll.tsx');
const loadBulkDelete = () => import('./bulk-delete.tsx');

export const AddContact = (props: PropsOf<typeof loadAddContact>) => (
  <LazyDialog title={t('Add contact')} load={loadAddContact} props={props} />
);

export const BulkTag = (props: PropsOf<typeof loadBulkTag>) => (
  <LazyDialog title={t('Tags')} load={loadBulkTag} props={props} />
);

export const BulkEnroll = (props: PropsOf<typeof loadBulkEnroll>) => (
  <LazyDialog title={t('Enroll')} load={loadBulkEnroll} props={props} />
);

export const BulkDelete = (props: PropsOf<typeof loadBulkDelete>) => (
  <LazyDialog title={t('Delete')} load={loadBulkDelete} props={props} />
);
