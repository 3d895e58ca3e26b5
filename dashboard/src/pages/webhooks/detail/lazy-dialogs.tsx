import { LazyDialog, type PropsOf } from '../../../app/lazy-dialog.tsx';
import { t } from '../../../lib/i18n.ts';

/* Dialogs that are loaded when they open, because no page needs them to be shown. */

const loadEditWebhook = () => import('./edit.tsx');
const loadAttemptDialog = () => import('./attempt.tsx');

export const EditWebhook = (props: PropsOf<typeof loadEditWebhook>) => (
  <LazyDialog title={t('Edit endpoint')} load={loadEditWebhook} props={props} />
);

export const AttemptDialog = (props: PropsOf<typeof loadAttemptDialog>) => (
  <LazyDialog title={t('Attempts')} load={loadAttemptDialog} props={props} />
);
