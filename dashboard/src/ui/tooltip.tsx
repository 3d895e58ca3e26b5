import { Tooltip as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { usePortalContainer } from './portal-container.ts';

export const TooltipProvider = ({ children }: { readonly children: ReactNode }) => (
  <Radix.Provider delayDuration={350}>{children}</Radix.Provider>
);

/** A tooltip must not be the only place for information. */
export const Tooltip = ({
  text,
  side = 'top',
  children,
}: {
  readonly text: ReactNode;
  readonly side?: 'top' | 'right' | 'bottom' | 'left';
  readonly children: ReactNode;
}) => {
  const { trigger, container, locate } = usePortalContainer<HTMLButtonElement>();
  return (
    <Radix.Root onOpenChange={locate}>
      <Radix.Trigger ref={trigger} asChild>
        {children}
      </Radix.Trigger>
      <Radix.Portal container={container}>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-60 max-w-72 rounded-md bg-ink px-2 py-1 text-xs text-canvas shadow-float animate-appear"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
};
