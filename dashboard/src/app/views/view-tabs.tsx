import { useMutation, useQuery } from '@tanstack/react-query';
import { Ellipsis, Plus, Users } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../api/client.ts';
import { apiQuery, invalidate } from '../../api/query.ts';
import type { View } from '../../api/types.gen.ts';
import { t } from '../../lib/i18n.ts';
import { type RawSearch, stringifySearch } from '../../lib/search-params.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { cx } from '../../ui/cx.ts';
import { Menu } from '../../ui/menu.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';
import { useCurrentUser } from '../current-user.ts';
import { LazyDialog } from '../lazy-dialog.tsx';

const loadSaveView = () => import('./save-view.tsx');

export type ViewList = View['list'];

/** The parameters of an address that a view consists of, in a fixed order. */
const viewQuery = ({
  page: _,
  view_id: __,
  view: ___,
  add: ____,
  call: _____,
  ...search
}: RawSearch): string => {
  const text = stringifySearch(search).slice(1);
  return new URLSearchParams([...new URLSearchParams(text)].sort()).toString();
};

const tabClass = (isActive: boolean) =>
  cx(
    'flex shrink-0 items-center gap-1.5 border-b-2 px-3 py-2 text-sm font-medium -outline-offset-2',
    isActive ? 'border-accent text-ink' : 'border-transparent text-muted hover:text-ink',
  );

/** The parameters of an address as texts. */
const textsOf = (search: RawSearch): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(stringifySearch(search).slice(1)));

/** A view belongs to the list of the current page. */
const linkTo = ({ id }: View): string => {
  const { origin, pathname } = location;
  return `${origin}${pathname}?view_id=${id}`;
};

/** The saved views of a list. `onOpen` replaces all parameters of the address. */
export const ViewTabs = ({
  list,
  search,
  onOpen,
}: {
  readonly list: ViewList;
  readonly search: RawSearch;
  readonly onOpen: (search: Record<string, string>) => void;
}) => {
  const views = useQuery(apiQuery('/views', { query: { list } })).data?.data;
  const isOwner = useCurrentUser().role === 'owner';
  const [dialog, setDialog] = useState<'create' | 'rename' | 'delete'>();
  const id = typeof search.view_id === 'string' ? search.view_id : undefined;
  const active = views?.find((view) => view.id === id);
  const query = viewQuery(search);
  const isModified =
    active !== undefined && viewQuery(Object.fromEntries(new URLSearchParams(active.query))) !== query;
  // With filters but without a view, no tab is current.
  const isAll = !active && query === '';
  const isMissing = id !== undefined && views !== undefined && !active;
  const open = (view: View) =>
    onOpen({ ...Object.fromEntries(new URLSearchParams(view.query)), view_id: view.id });

  // An address with nothing but the id opens the view, once.
  const opened = useRef<string>(undefined);
  useEffect(() => {
    if (active && opened.current !== active.id) {
      opened.current = active.id;
      if (query === '' && active.query !== '') open(active);
    }
  });

  const save = useMutation({
    mutationFn: (view: View) => call('PATCH', '/views/{id}', { params: { id: view.id }, body: { query } }),
    onSuccess: ({ data }) => {
      void invalidate('/views');
      toast.good(t('{name} saved.', { name: data.name }));
    },
    onError: (error) => toast.failed(error),
  });
  const share = (view: View): Promise<void> =>
    call('PATCH', '/views/{id}', { params: { id: view.id }, body: { shared: !view.shared } }).then(
      () => invalidate('/views'),
      (error) => toast.failed(error),
    );
  const offerToShare = (view: View) =>
    toast.good(t('Link copied. Only you can open it, because the view is private.'), {
      label: t('Share with the workspace'),
      run: () => void share(view),
    });
  const { view_id: _, ...withoutView } = search;
  return (
    <>
      {/* The row is always there, so that the search below does not move while one types. */}
      <nav aria-label={t('Views')} className="mb-3 flex h-10 items-end gap-1 border-b border-line">
        <div className="-mb-px flex min-w-0 flex-1 items-end gap-1 overflow-x-auto">
          <button
            type="button"
            className={tabClass(isAll)}
            aria-current={isAll ? 'page' : undefined}
            onClick={() => onOpen({})}
          >
            {t('All')}
          </button>
          {views?.map((view) => (
            <button
              key={view.id}
              type="button"
              className={tabClass(view.id === id)}
              aria-current={view.id === id ? 'page' : undefined}
              onClick={() => open(view)}
            >
              <span dir="auto">{view.name}</span>
              {view.shared && (
                <>
                  <Users className="size-3.5" aria-hidden />
                  <span className="sr-only">{t('shared')}</span>
                </>
              )}
              {view.id === id && isModified && (
                <span className="font-normal text-muted">{t('(modified)')}</span>
              )}
            </button>
          ))}
        </div>
        <div className="flex shrink-0 items-center gap-1 pb-1">
          {active && isModified && active.own && (
            <Button size="small" busy={save.isPending} onClick={() => save.mutate(active)}>
              {t('Save view')}
            </Button>
          )}
          {active && isModified && (
            <Button size="small" variant="quiet" onClick={() => open(active)}>
              {t('Reset')}
            </Button>
          )}
          {query !== '' && (!active || isModified) && (
            <Button size="small" variant="quiet" onClick={() => setDialog('create')}>
              <Plus aria-hidden />
              <span className="max-sm:sr-only">{t('Save as new view')}</span>
            </Button>
          )}
          {active && (
            <CopyButton
              size="small"
              label={t('Copy link to {name}', { name: active.name })}
              text={linkTo(active)}
              onCopied={() => active.shared || offerToShare(active)}
            />
          )}
          {active && (active.own || isOwner) && (
            <Menu
              trigger={<IconButton size="small" label={t('View options')} icon={<Ellipsis aria-hidden />} />}
              items={[
                ...(active.own
                  ? [
                      { label: t('Rename'), onSelect: () => setDialog('rename') },
                      {
                        label: active.shared ? t('Make private') : t('Share with the workspace'),
                        onSelect: () => void share(active),
                      },
                    ]
                  : []),
                { label: t('Delete'), danger: true, onSelect: () => setDialog('delete') },
              ]}
            />
          )}
        </div>
        {dialog === 'create' && (
          <LazyDialog
            title={t('Save as new view')}
            load={loadSaveView}
            props={{ list, query, onSaved: open, onClose: () => setDialog(undefined) }}
          />
        )}
        {dialog === 'rename' && active && (
          <LazyDialog
            title={t('Rename view')}
            load={loadSaveView}
            props={{ view: active, onClose: () => setDialog(undefined) }}
          />
        )}
        {dialog === 'delete' && active && (
          <ConfirmDialog
            open
            title={t('Delete {name}?', { name: active.name })}
            action={t('Delete view')}
            danger
            consequences={active.shared ? [t('Other members lose it, too.')] : []}
            onConfirm={async () => {
              await call('DELETE', '/views/{id}', { params: { id: active.id } });
              onOpen({});
              await invalidate('/views');
            }}
            onOpenChange={() => setDialog(undefined)}
          />
        )}
      </nav>
      {isMissing && (
        <div className="mb-3">
          <Notice
            tone="warn"
            action={
              <Button size="small" onClick={() => onOpen(textsOf(withoutView))}>
                {t('Dismiss')}
              </Button>
            }
          >
            {query === ''
              ? t('This view is private or was deleted. The list below shows all entries.')
              : t('This view is private or was deleted. The list below shows only the filters of the link.')}
          </Notice>
        </div>
      )}
    </>
  );
};
