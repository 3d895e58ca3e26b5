import { Check, Copy } from 'lucide-react';
import { type MouseEvent, useEffect, useState } from 'react';
import { t } from '../lib/i18n.ts';
import { Button, type ButtonProps, IconButton } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Textarea } from './field.tsx';

const SHOWN_MS = 2_000;

/** Copies outside a secure context, such as plain HTTP on a host name. The selection must be in the same dialog as
 *  the button, because of the dialog's focus trap. The copy event tells whether it worked, because `execCommand`
 *  also succeeds with an empty selection. */
const copyBySelection = (text: string, near: HTMLElement): boolean => {
  const home = near.closest('[role=dialog]') ?? document.body;
  const area = Object.assign(document.createElement('textarea'), { value: text, readOnly: true });
  area.style.cssText = 'position: fixed; opacity: 0';
  area.setAttribute('aria-label', t('Copy'));
  let isCopied = false;
  const onCopy = (event: ClipboardEvent) => {
    if (!event.clipboardData) return;
    event.clipboardData.setData('text/plain', text);
    event.preventDefault();
    event.stopImmediatePropagation();
    isCopied = true;
  };
  home.append(area);
  area.select();
  document.addEventListener('copy', onCopy, true);
  const isDone = document.execCommand('copy');
  document.removeEventListener('copy', onCopy, true);
  near.focus();
  area.remove();
  return isDone && isCopied;
};

/** Whether the text is on the clipboard now. */
export const copyText = async (text: string, near: HTMLElement): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text, near);
  }
};

/** Copies a text. A button with `children`, otherwise an icon button. If the browser blocks copying, the text is
 *  shown and selected, to be copied by keyboard. */
export const CopyButton = ({
  text,
  label = t('Copy'),
  onCopied,
  children,
  ...rest
}: {
  readonly text: string;
  readonly label?: string;
  readonly onCopied?: () => void;
} & Omit<ButtonProps, 'onClick'>) => {
  const [copied, setCopied] = useState(false);
  const [isRefused, setRefused] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(setCopied, SHOWN_MS, false);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    const isCopied = await copyText(text, currentTarget);
    setCopied(isCopied);
    setRefused(!isCopied);
    if (isCopied) onCopied?.();
  };
  const icon = copied ? <Check aria-hidden /> : <Copy aria-hidden />;
  return (
    <>
      {children ? (
        <Button {...rest} onClick={copy}>
          {icon}
          {copied ? t('Copied') : children}
        </Button>
      ) : (
        <IconButton {...rest} label={copied ? t('Copied') : label} icon={icon} onClick={copy} />
      )}
      {isRefused && <CopyManually text={text} onClose={() => setRefused(false)} />}
    </>
  );
};

const CopyManually = ({ text, onClose }: { readonly text: string; readonly onClose: () => void }) => (
  <Dialog
    open
    onOpenChange={onClose}
    title={t('Press Ctrl+C to copy')}
    description={t('Your browser blocked copying. The text is selected: press Ctrl+C, or ⌘C on a Mac.')}
    width="small"
    footer={
      <Button variant="primary" onClick={onClose}>
        {t('Done')}
      </Button>
    }
  >
    <Textarea
      label={t('Text to copy')}
      hideLabel
      readOnly
      autoFocus
      rows={2}
      value={text}
      onFocus={({ target }) => target.select()}
    />
  </Dialog>
);
