import type { ComponentType, ReactNode } from 'react';
import type { MenuProps } from './menu-items.ts';
import { OnDemandTrigger, useOnDemand } from './on-demand.tsx';

const load = () => import('./menu-content.tsx');

/** A menu whose items are loaded with it. */
export const LazyMenu = <Props extends { readonly trigger: ReactNode }>({
  load,
  props,
}: {
  /** Must be the same function on every render. Its component opens the menu when it is mounted. */
  readonly load: () => Promise<{ readonly default: ComponentType<Props> }>;
  readonly props: Props;
}) => {
  const { Content, preload, request } = useOnDemand(load);
  if (Content) return <Content {...props} />;
  return (
    <OnDemandTrigger kind="menu" onPreload={preload} onOpen={request}>
      {props.trigger}
    </OnDemandTrigger>
  );
};

/** A dropdown menu. */
export const Menu = (props: MenuProps) => <LazyMenu load={load} props={props} />;
