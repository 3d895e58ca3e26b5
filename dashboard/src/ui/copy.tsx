import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, type ButtonProps, IconButton } from './button.tsx';
import { toast } from './toast.tsx';

const SHOWN_MS = 2_000;

const copyText = async (text: string): Promise<void> => {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // Without HTTPS there is no clipboard but the old way.
  const area = Object.assign(document.createElement('textarea'), { value: text });
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (!done) throw new Error('refused');
};

/** Copies a text. With `children` it is a button with words, without it an icon. */
export const CopyButton = ({
  text,
  label = 'Copy',
  children,
  ...rest
}: { readonly text: string; readonly label?: string } & Omit<ButtonProps, 'onClick'>) => {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(setCopied, SHOWN_MS, false);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () =>
    copyText(text).then(
      () => setCopied(true),
      () => toast.good('The browser refused to copy. Select the text and copy it by hand.'),
    );
  const icon = copied ? <Check aria-hidden /> : <Copy aria-hidden />;
  if (!children) return <IconButton {...rest} label={copied ? 'Copied' : label} icon={icon} onClick={copy} />;
  return (
    <Button {...rest} onClick={copy}>
      {icon}
      {copied ? 'Copied' : children}
    </Button>
  );
};
