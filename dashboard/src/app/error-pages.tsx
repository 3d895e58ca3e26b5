import { Link, useRouter } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { isApiError } from '../api/api-error.ts';
import { t } from '../lib/i18n.ts';
import { Button } from '../ui/button.tsx';
import { Page, useTitle } from '../ui/page.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { Logo } from './logo.tsx';

interface FailedProps {
  readonly error: unknown;
  readonly reset: () => void;
}

const useRetry = ({ error, reset }: FailedProps) => {
  const router = useRouter();
  return () => {
    // A newer version may have been installed since the page was opened, and its files have other names.
    if (!isApiError(error)) return location.reload();
    reset();
    void router.invalidate();
  };
};

/** Shown instead of a page that failed to render or load. */
export const PageError = (props: FailedProps) => {
  const retry = useRetry(props);
  return (
    <Page title={t("Couldn't load this page")}>
      <div className="card">
        <ErrorState error={props.error} onRetry={retry} />
      </div>
    </Page>
  );
};

/** Shown instead of the whole application when the session could not be read. */
export const AppError = (props: FailedProps) => {
  const retry = useRetry(props);
  useTitle(t("Couldn't load this page"));
  return (
    <main className="mx-auto max-w-xl px-4 py-[12vh]">
      <Logo className="mx-auto mb-5 size-11" />
      <h1 className="sr-only">{t('Roster')}</h1>
      <div className="card">
        <ErrorState error={props.error} onRetry={retry} />
      </div>
    </main>
  );
};

export const PageNotFound = () => (
  <Page title={t('Page not found')}>
    <div className="card">
      <EmptyState
        icon={<Compass />}
        title={t("We couldn't find that page")}
        action={
          <Button asChild variant="primary">
            <Link to="/">{t('Go home')}</Link>
          </Button>
        }
      >
        {t('The link may be wrong, or the item may have been deleted.')}
      </EmptyState>
    </div>
  </Page>
);
