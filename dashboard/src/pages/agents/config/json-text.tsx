import { ReadOnlyText } from '../detail/read-only-text.tsx';
import { jsonExtensions } from './json-extensions.ts';

/** A read-only view of JSON. */
const JsonText = (props: { readonly label: string; readonly text: string }) => (
  <ReadOnlyText {...props} dir="ltr" extensions={jsonExtensions} />
);

export default JsonText;
