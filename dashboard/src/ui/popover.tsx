import { useEffect } from 'react';
import { OnDemandTrigger, useOnDemand } from './on-demand.tsx';
import type { PopoverProps } from './popover-props.ts';

const load = () => import('./popover-content.tsx');

/** A small panel at its trigger. It closes on Escape and on a click outside, and the focus returns to the trigger. */
export const Popover = (props: PopoverProps) => {
  const { open, onOpenChange, trigger } = props;
  const { Content, preload, request } = useOnDemand(load);
  useEffect(() => {
    if (open) request();
  }, [open, request]);
  if (Content) return <Content {...props} />;
  return (
    <OnDemandTrigger kind="dialog" onPreload={preload} onOpen={() => onOpenChange(true)}>
      {trigger}
    </OnDemandTrigger>
  );
};
