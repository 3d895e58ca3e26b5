import { LazyDialog, type PropsOf } from '../../../app/lazy-dialog.tsx';
import { t } from '../../../lib/i18n.ts';

/* Dialogs that are loaded when they open, because no page needs them to be shown. */

const loadCreateWebhook = () => import('./create.tsx');
/** Loaded with the dialog before, so that the secret is shown even if the service does not answer then. */
const loadWebhookCreated = async () => ({ default: (await loadCreateWebhook()).WebhookCreated });

export const CreateWebhook = (props: PropsOf<typeof loadCreateWebhook>) => (
  <LazyDialog title={t('Add endpoint')} load={loadCreateWebhook} props={props} />
);

export const WebhookCreated = (props: PropsOf<typeof loadWebhookCreated>) => (
  <LazyDialog title={t('Endpoint added')} load={loadWebhookCreated} props={props} />
);
