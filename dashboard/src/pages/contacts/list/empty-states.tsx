import { SearchX, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/states.tsx';

export const NoContacts = ({ children }: { readonly children: ReactNode }) => (
  <EmptyState icon={<Users />} title="No contacts yet" action={children}>
    Contacts are the people your agents talk to. Add them one by one, or import a CSV or Excel file.
  </EmptyState>
);

export const NoMatchingContacts = ({ onAll }: { readonly onAll: () => void }) => (
  <EmptyState
    icon={<SearchX />}
    title="No matching contacts"
    action={<Button onClick={onAll}>Show all contacts</Button>}
  >
    Search covers names, phone numbers and emails. Tags and companies must match exactly.
  </EmptyState>
);
