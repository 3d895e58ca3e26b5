import { useRouter } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, MouseEvent } from 'react';

export type CellLinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & {
  /** A path of the dashboard with its parameters. */
  readonly href: string;
};

/** Whether a click follows a link in this tab. */
export const opensHere = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;

/** A link in a table. A page of a list has hundreds of them, so unlike `Link` it does not follow the current location. */
export const CellLink = ({ href, ...anchor }: CellLinkProps) => {
  const router = useRouter();
  const preload = () => void router.preloadRoute({ to: '.', href }).catch(() => undefined);
  return (
    <a
      {...anchor}
      href={href}
      onClick={(event) => {
        if (!opensHere(event)) return;
        event.preventDefault();
        void router.navigate({ href });
      }}
      onMouseEnter={preload}
      onFocus={preload}
      onTouchStart={preload}
    />
  );
};
