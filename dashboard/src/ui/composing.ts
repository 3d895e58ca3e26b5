import type { KeyboardEvent } from 'react';

/** Whether a key belongs to an input method, such as the Enter that accepts a word. Safari sends that Enter after the
 *  composition has ended, with the key code 229. */
export const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === 229;
