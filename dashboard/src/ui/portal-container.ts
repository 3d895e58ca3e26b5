import { useRef, useState } from 'react';

const HOMES = '[role=dialog], main, aside, header';

/** The portal container of a popover: the landmark or dialog of its trigger, so that it is inside a landmark and
 *  not hidden behind an open dialog. */
export const usePortalContainer = <T extends HTMLElement>() => {
  const trigger = useRef<T>(null);
  const [container, setContainer] = useState<HTMLElement | null>(null);
  const locate = (): void => setContainer(trigger.current?.closest<HTMLElement>(HOMES) ?? null);
  return { trigger, container, locate };
};
