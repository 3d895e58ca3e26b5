import { LazyDialog, type PropsOf } from '../../../app/lazy-dialog.tsx';
import { t } from '../../../lib/i18n.ts';

/* Dialogs that are loaded when they open, because no page needs them to be shown. */

const loadPhoneDialog = () => import('./change-phone.tsx');
const loadAddIdentity = () => import('./add-identity.tsx');
const loadEnroll = () => import('./enroll.tsx');
const loadDeleteContact = () => import('./delete.tsx');

export const PhoneDialog = (props: PropsOf<typeof loadPhoneDialog>) => (
  <LazyDialog title={t('Change phone number')} load={loadPhoneDialog} props={props} />
);

export const AddIdentity = (props: PropsOf<typeof loadAddIdentity>) => (
  <LazyDialog title={t('Add identity')} load={loadAddIdentity} props={props} />
);

export const Enroll = (props: PropsOf<typeof loadEnroll>) => (
  <LazyDialog title={t('Enroll in a campaign')} load={loadEnroll} props={props} />
);

export const DeleteContact = (props: PropsOf<typeof loadDeleteContact>) => (
  <LazyDialog title={t('Delete contact')} load={loadDeleteContact} props={props} />
);
