import type { ReactNode } from 'react';
import { t } from '../lib/i18n.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';

/** What is shown: a secret, an API key or a sign-in link. */
const words = {
  secret: {
    label: t('Secret'),
    copy: t('Copy secret'),
    copied: t("I've copied the secret"),
    now: t("Copy the secret now. You won't be able to see it again."),
  },
  key: {
    label: t('Key'),
    copy: t('Copy key'),
    copied: t("I've copied the key"),
    now: t("Copy the key now. You won't be able to see it again."),
  },
  link: {
    label: t('Link'),
    copy: t('Copy link'),
    copied: t("I've copied the link"),
    now: t("Copy the link now. You won't be able to see it again."),
  },
} as const;

/** Shows a secret once, right after its creation. Only its button closes it. */
export const SecretDialog = ({
  title,
  description,
  kind = 'secret',
  secret,
  explanation,
  onClose,
  children,
}: {
  readonly title: string;
  readonly description?: string;
  readonly kind?: keyof typeof words;
  readonly secret: string;
  /** What the secret gives access to, and what to do if it is lost. */
  readonly explanation: ReactNode;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}) => {
  const { label, copy, copied, now } = words[kind];
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      {...(description && { description })}
      preventDismiss
      footer={
        <Button variant="primary" onClick={onClose}>
          {copied}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Notice tone="warn">{now}</Notice>
        <div className="rounded-xl border border-line p-3">
          <h3 className="text-sm font-semibold">{label}</h3>
          <div className="mt-1 flex flex-wrap items-center gap-2">
            <code className="min-w-0 flex-1 basis-56 rounded-lg bg-sunken px-3 py-2 font-mono text-[0.8125rem] break-all">
              {secret}
            </code>
            <CopyButton text={secret} autoFocus>
              {copy}
            </CopyButton>
          </div>
          <p className="mt-2 text-[0.8125rem] text-muted">{explanation}</p>
        </div>
        {children}
      </div>
    </Dialog>
  );
};
