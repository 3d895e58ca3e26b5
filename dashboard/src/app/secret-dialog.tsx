import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';

/** Shows a secret once, right after its creation. Only its button closes it. */
export const SecretDialog = ({
  title,
  description,
  label,
  secret,
  explanation,
  onClose,
  children,
}: {
  readonly title: string;
  readonly description?: string;
  /** What the secret is: `Secret`, `Key` or `Link`. */
  readonly label: string;
  readonly secret: string;
  /** What the secret gives access to, and what to do if it is lost. */
  readonly explanation: ReactNode;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}) => {
  const name = label.toLowerCase();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      {...(description && { description })}
      preventDismiss
      footer={
        <Button variant="primary" onClick={onClose}>
          I've copied the {name}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Notice tone="warn">Copy the {name} now. You won't be able to see it again.</Notice>
        <div className="rounded-xl border border-line p-3">
          <h3 className="text-sm font-semibold">{label}</h3>
          <div className="mt-1 flex flex-wrap items-center gap-2">
            <code className="min-w-0 flex-1 basis-56 rounded-lg bg-sunken px-3 py-2 font-mono text-[0.8125rem] break-all">
              {secret}
            </code>
            <CopyButton text={secret} autoFocus>
              Copy {name}
            </CopyButton>
          </div>
          <p className="mt-2 text-[0.8125rem] text-muted">{explanation}</p>
        </div>
        {children}
      </div>
    </Dialog>
  );
};
