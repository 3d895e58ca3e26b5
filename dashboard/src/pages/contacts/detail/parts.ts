/** What the page loads after its first content, in one request. */
export { default as CustomFields } from './custom-fields.tsx';
export { default as TimelineResult } from './timeline-result.tsx';
