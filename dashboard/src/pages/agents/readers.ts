/** What shows a version's text and config, in one request. */
export { default as JsonText } from './config/json-text.tsx';
export { default as VersionDiff } from './detail/version-diff.tsx';
export { default as VersionText } from './detail/version-text.tsx';
