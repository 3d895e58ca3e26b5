import { useRef, useState } from 'react';

const HOMES = '[role=dialog], main, aside, header';

/** Where something that floats over the page belongs in the document: in the same landmark or dialog as its trigger, so
 *  that it is neither outside of every landmark nor hidden behind an open dialog. */
export const usePortalContainer = <T extends HTMLElement>() => {
  const trigger = useRef<T>(null);
  const [container, setContainer] = useState<HTMLElement | null>(null);
  const locate = (): void => setContainer(trigger.current?.closest<HTMLElement>(HOMES) ?? null);
  return { trigger, container, locate };
};
