import type { ReactNode } from 'react';
import { CopyButton } from '../ui/copy.tsx';

/** A value that is shown once, with a copy button and an explanation. */
export const Secret = ({
  label,
  text,
  children,
}: {
  readonly label: string;
  readonly text: string;
  readonly children: ReactNode;
}) => (
  <div className="rounded-xl border border-line p-3">
    <h3 className="text-sm font-semibold">{label}</h3>
    <div className="mt-1 flex flex-wrap items-center gap-2">
      <code className="min-w-0 flex-1 basis-56 rounded-lg bg-sunken px-3 py-2 font-mono text-[0.8125rem] break-all">
        {text}
      </code>
      <CopyButton text={text} autoFocus>
        Copy {label.toLowerCase()}
      </CopyButton>
    </div>
    <p className="mt-2 text-[0.8125rem] text-muted">{children}</p>
  </div>
);
