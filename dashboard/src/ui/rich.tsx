import { Fragment, type ReactNode } from 'react';
import { translation } from '../lib/i18n.ts';

/** A text with elements: `rich('Saved by {user}.', { user: <b>Ada</b> })`. */
export const rich = (text: string, elements: Readonly<Record<string, ReactNode>>): ReactNode =>
  translation(text)
    .split(/\{(\w+)\}/)
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
    .map((part, index) => <Fragment key={index}>{index % 2 === 0 ? part : elements[part]}</Fragment>);
