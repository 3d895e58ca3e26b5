import { CloudOff } from 'lucide-react';
import { connection } from '../api/connection.ts';
import { useStore } from '../api/store.ts';
import { t } from '../lib/i18n.ts';

/** A banner that is shown while the service is unreachable. */
export const ConnectionBar = () => {
  const isLost = useStore(connection.isLost);
  return (
    <div role="status" className="sticky top-0 z-20 max-lg:top-14">
      {isLost && (
        <div className="flex items-center justify-center gap-3 bg-warn-soft px-4 py-2 text-sm text-warn-ink">
          <CloudOff className="size-4 shrink-0" aria-hidden />
          <span>{t('Connection lost. Your changes are safe. Reconnecting…')}</span>
          <button
            type="button"
            className="shrink-0 rounded font-medium underline"
            onClick={() => connection.retry()}
          >
            {t('Retry now')}
          </button>
        </div>
      )}
    </div>
  );
};
