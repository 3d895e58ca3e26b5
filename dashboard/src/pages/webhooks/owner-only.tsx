import { Webhook as WebhookIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCurrentUser } from '../../app/current-user.ts';
import { t } from '../../lib/i18n.ts';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { purpose } from './labels.tsx';

/** Shows a page of webhooks to owners only. */
export const OwnerOnly = ({ children }: { readonly children: ReactNode }) =>
  useCurrentUser().role === 'owner' ? (
    children
  ) : (
    <Page title={t('Webhooks')}>
      <div className="card">
        <EmptyState icon={<WebhookIcon />} title={t('Owner access required')}>
          {purpose} {t('Ask a workspace owner to add an endpoint.')}
        </EmptyState>
      </div>
    </Page>
  );
