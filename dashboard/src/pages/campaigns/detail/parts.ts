/** What the page loads after its first content, in one request. */
export { default as Audience } from './audience.tsx';
export { default as Blocked } from './blocked.tsx';
export { default as Dialer } from './dialer.tsx';
export { default as Progress } from './progress.tsx';
