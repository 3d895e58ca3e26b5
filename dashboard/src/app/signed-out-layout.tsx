import type { ReactNode } from 'react';
import { useTitle } from '../ui/page.tsx';
import { ConnectionBar } from './connection-bar.tsx';
import { Logo } from './logo.tsx';

/** The layout of the pages that need no session. */
export const SignedOutLayout = ({
  title,
  text,
  children,
}: {
  readonly title: string;
  readonly text?: ReactNode;
  readonly children?: ReactNode;
}) => {
  useTitle(title);
  return (
    <>
      <ConnectionBar />
      <main className="mx-auto flex min-h-[90dvh] w-full max-w-sm flex-col justify-center px-4 py-10">
        <Logo className="mb-5 size-11" />
        <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
        {text && <p className="mt-1 text-sm text-muted">{text}</p>}
        <div className="card mt-6 p-5 sm:p-6">{children}</div>
      </main>
    </>
  );
};
