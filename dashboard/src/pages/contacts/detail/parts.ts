/** What the page loads after its first content, in one request. */
export { default as Identities } from './identities.tsx';
export { MergedContacts } from './merged.tsx';
