import { Popover as Radix } from 'radix-ui';
import { useEffect, useState } from 'react';
import type { PopoverProps } from './popover-props.ts';
import { usePortalContainer } from './portal-container.ts';

/** A popover that opens when it is mounted with `open`. */
const PopoverContent = ({ label, trigger, open, onOpenChange, children, align = 'start' }: PopoverProps) => {
  const portal = usePortalContainer<HTMLButtonElement>();
  const [isLocated, setLocated] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    portal.locate();
    setLocated(true);
  }, []);
  return (
    <Radix.Root open={open && isLocated} onOpenChange={onOpenChange}>
      <Radix.Trigger ref={portal.trigger} asChild>
        {trigger}
      </Radix.Trigger>
      <Radix.Portal container={portal.container}>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="z-60 max-h-(--radix-popover-content-available-height) w-72 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-xl border border-line bg-surface p-1.5 text-sm shadow-float animate-appear"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
};

export default PopoverContent;
