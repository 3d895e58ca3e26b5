import { SearchX, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/states.tsx';

export const NoContacts = ({ children }: { readonly children: ReactNode }) => (
  <EmptyState icon={<Users />} title={t('No contacts yet')} action={children}>
    {t('Contacts are the people your agents talk to. Add them one by one, or import a CSV or Excel file.')}
  </EmptyState>
);

/** While all contacts of a page wait for their deletion. */
export const DeletedContacts = () => <EmptyState title={t('These contacts are being deleted')} />;

export const NoMatchingContacts = ({ onAll }: { readonly onAll: () => void }) => (
  <EmptyState
    icon={<SearchX />}
    title={t('No matching contacts')}
    action={<Button onClick={onAll}>{t('Show all contacts')}</Button>}
  >
    {t('Search covers names, phone numbers and emails. Tags and companies must match exactly.')}
  </EmptyState>
);
