import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { errorMessage } from '../../../api/api-error.ts';
import type { WebhookAttemptDetails } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { millisecondsText } from '../labels.tsx';

/** What a test event resulted in. */
export const TestResult = ({
  attempt,
  error,
  onDismiss,
}: {
  readonly attempt: WebhookAttemptDetails | undefined;
  readonly error: unknown;
  readonly onDismiss: () => void;
}) => {
  const isDelivered = attempt?.result === 'delivered';
  const body = attempt?.response?.body;
  return (
    <Notice
      tone={isDelivered ? 'good' : 'danger'}
      action={
        <span className="-my-1.5 flex items-center gap-2">
          {attempt && (
            <Link
              to="."
              search={(now: object) => ({ ...now, attempt: attempt.number })}
              resetScroll={false}
              className="rounded font-medium underline"
            >
              {t('View attempt')}
            </Link>
          )}
          <IconButton label={t('Dismiss')} size="small" icon={<X aria-hidden />} onClick={onDismiss} />
        </span>
      }
    >
      {!attempt
        ? errorMessage(error)
        : isDelivered
          ? t('Test event delivered: status {status} in {duration}.', {
              status: String(attempt.status),
              duration: millisecondsText(attempt.duration_ms),
            })
          : t('Test event failed: {reason}', {
              reason: attempt.error ?? t('status {status}', { status: String(attempt.status) }),
            })}
      {body && <code className="mt-1 line-clamp-2 block font-mono text-xs wrap-anywhere">{body}</code>}
    </Notice>
  );
};
