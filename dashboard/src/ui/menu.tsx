import type { MenuProps } from './menu-items.ts';
import { OnDemandTrigger, useOnDemand } from './on-demand.tsx';

const load = () => import('./menu-content.tsx');

/** A dropdown menu. */
export const Menu = (props: MenuProps) => {
  const { Content, preload, request } = useOnDemand(load);
  if (Content) return <Content {...props} />;
  return (
    <OnDemandTrigger kind="menu" onPreload={preload} onOpen={request}>
      {props.trigger}
    </OnDemandTrigger>
  );
};
