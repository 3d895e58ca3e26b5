import { useQuery } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { apiQuery } from '../api/query.ts';
import { plural, t } from '../lib/i18n.ts';
import { useCurrentUser } from './current-user.ts';

/** Tells owners that the service disabled an endpoint of webhooks. The pages of webhooks show it themselves. */
export const DisabledWebhooks = () => {
  const isOwner = useCurrentUser().role === 'owner';
  const isShown = useRouterState({
    select: ({ location }) => !location.pathname.startsWith('/webhooks'),
  });
  const query = useQuery({
    ...apiQuery('/webhooks', { query: { status: 'disabled', limit: 1 } }),
    enabled: isOwner,
  });
  const count = query.data?.pagination.total ?? 0;
  const [first] = query.data?.data ?? [];
  return (
    <div role="status">
      {isOwner && isShown && first && (
        <div className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1 bg-danger-soft px-4 py-2 text-sm text-danger-ink">
          <TriangleAlert className="size-4 shrink-0" aria-hidden />
          <span className="min-w-0 wrap-anywhere">
            {count === 1
              ? t('The webhook endpoint {url} was disabled. Events are no longer sent to it.', {
                  url: first.url,
                })
              : plural(
                  count,
                  '# webhook endpoint was disabled. Events are no longer sent to it.',
                  '# webhook endpoints were disabled. Events are no longer sent to them.',
                )}
          </span>
          {count === 1 ? (
            <Link
              to="/webhooks/$id"
              params={{ id: first.id }}
              className="shrink-0 rounded font-medium underline"
            >
              {t('Review endpoint')}
            </Link>
          ) : (
            <Link to="/webhooks" className="shrink-0 rounded font-medium underline">
              {t('Review endpoints')}
            </Link>
          )}
        </div>
      )}
    </div>
  );
};
