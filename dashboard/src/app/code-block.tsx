import type { ReactNode } from 'react';
import { t } from '../lib/i18n.ts';
import { CopyButton } from '../ui/copy.tsx';

/** Text with a button to copy it. */
export const CodeBlock = ({
  label,
  text,
  hint,
}: {
  readonly label: string;
  readonly text: string;
  readonly hint?: ReactNode;
}) => (
  <div className="min-w-0">
    <div className="flex items-center justify-between gap-3">
      <h4 className="text-sm font-medium">{label}</h4>
      <CopyButton text={text} size="small" variant="quiet" aria-label={t('Copy: {label}', { label })}>
        {t('Copy')}
      </CopyButton>
    </div>
    {hint && <p className="mb-1 text-[0.8125rem] text-muted">{hint}</p>}
    <pre className="mt-1 rounded-lg bg-sunken px-3 py-2 font-mono text-[0.8125rem]/5 wrap-anywhere whitespace-pre-wrap">
      {text}
    </pre>
  </div>
);
