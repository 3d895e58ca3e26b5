import type { Contact } from '../../src/features/contacts/contact.schema.ts';

/** A contact as a row: its lists and objects are JSON. */
export type ContactRow = Omit<Contact, 'tags'> & { tags: string; crm_ids: string };

export interface ContactsQuery {
  limit: number;
  offset: number;
  search?: string;
  tag?: string;
}

export interface AgentRow {
  id: string;
  name: string;
  description: string | null;
  created_at: string;
  updated_at: string;
}

export interface VersionRow {
  id: string;
  number: number;
  status: string;
  instructions: string;
  created_at: string;
}

type Now<T> = T | Promise<T>;

/** The queries of the plain build. */
export interface PlainStore {
  workspaceOf(keyHash: string): Now<number | undefined>;
  contact(workspace: number, id: string): Now<ContactRow | undefined>;
  contacts(workspace: number, query: ContactsQuery): Now<{ rows: ContactRow[]; total: number }>;
  /** False if the phone number is taken. */
  insert(workspace: number, contact: Contact): Now<boolean>;
  agent(workspace: number, id: string): Now<{ agent: AgentRow; versions: VersionRow[] } | undefined>;
}

/** The columns of a contact, in the order in which they are shown. */
export const COLUMNS = [
  'id', 'phone_number', 'first_name', 'last_name', 'display_name', 'email', 'company', 'notes', 'tags', 'source',
  'first_contact_at', 'last_contact_at', 'created_at', 'updated_at',
] as const; // biome-ignore format: a table
