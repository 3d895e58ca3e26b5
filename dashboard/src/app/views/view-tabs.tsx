import { useMutation } from '@tanstack/react-query';
import { Ellipsis, Pin, Plus, Users } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { type RawSearch, stringifySearch } from '../../lib/search-params.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { cx } from '../../ui/cx.ts';
import { readListSettings, rememberListSettings } from '../../ui/list-settings.ts';
import { Menu } from '../../ui/menu.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';
import { useCurrentUser } from '../current-user.ts';
import { hasReplaced, hasReturned } from '../kept-state.ts';
import { LazyDialog } from '../lazy-dialog.tsx';
import type { SavedView, ViewSource } from './source.ts';

const loadSaveView = () => import('./save-view.tsx');

/** The id of the tab for all entries, in the address only if another view opens by default. */
const ALL = 'all';

const tabClass = (isActive: boolean) =>
  cx(
    'flex shrink-0 items-center gap-1.5 border-b-2 px-3 py-2 text-sm font-medium -outline-offset-2',
    isActive ? 'border-accent text-ink' : 'border-transparent text-muted hover:text-ink',
  );

/** The view that opens with the list, in this browser. */
const useDefaultView = ({ list, views }: ViewSource) => {
  const name = `${list}.${useCurrentUser().id}`;
  const [id, setId] = useState(() => readListSettings(name).view);
  const choose = (view: string | undefined) => {
    rememberListSettings(name, { view });
    setId(view);
  };
  return [views?.find((view) => view.id === id), choose] as const;
};

/** The parameters of an address as texts. */
const textsOf = (search: RawSearch): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(stringifySearch(search).slice(1)));

/** The saved views of a list as tabs, and what can be done with the open one. `onOpen` replaces all parameters of the address. */
export const ViewTabs = ({
  source,
  search,
  onOpen,
}: {
  readonly source: ViewSource;
  readonly search: RawSearch;
  readonly onOpen: (search: Record<string, string>, replace?: boolean) => void;
}) => {
  const { param, views, texts, queryOf } = source;
  const isOwner = useCurrentUser().role === 'owner';
  const [dialog, setDialog] = useState<'create' | 'rename' | 'delete'>();
  const [standard, setStandard] = useDefaultView(source);
  const opened = search[param];
  const id = typeof opened === 'string' && opened !== ALL ? opened : undefined;
  const active = views?.find((view) => view.id === id);
  const query = queryOf(search);
  const isModified =
    active !== undefined && queryOf(Object.fromEntries(new URLSearchParams(active.query))) !== query;
  /** A view belongs to the list of the current page. */
  const linkTo = (view: SavedView) => `${location.origin}${location.pathname}?${param}=${view.id}`;
  // With filters but without a view, no tab is current.
  const isAll = !active && query === '';
  const isMissing = id !== undefined && views !== undefined && !active;
  const open = (view: SavedView, replace = false) =>
    onOpen({ ...Object.fromEntries(new URLSearchParams(view.query)), [param]: view.id }, replace);
  const openAll = (replace = false) => onOpen(standard ? { [param]: ALL } : {}, replace);

  // An address with nothing but the id opens the view, once.
  const lastOpened = useRef<string>(undefined);
  useEffect(() => {
    if (active && lastOpened.current !== active.id) {
      lastOpened.current = active.id;
      if (query === '' && active.query !== '') open(active);
    }
  });

  // An address without parameters opens the default view. Where they have been removed, all entries are meant.
  const isBare = stringifySearch(search) === '';
  useEffect(() => {
    if (!isBare || !standard) return;
    if (hasReplaced() || hasReturned()) openAll(true);
    else open(standard, true);
  });

  const save = useMutation({
    mutationFn: (view: SavedView) => source.update(view.id, { query }),
    onSuccess: ({ name }) => toast.good(t('{name} saved.', { name })),
    onError: (error) => toast.failed(error),
  });
  const share = (view: SavedView): Promise<unknown> =>
    source.update(view.id, { shared: !view.shared }).catch((error) => toast.failed(error));
  const offerToShare = (view: SavedView) =>
    toast.good(texts.privateLink, {
      label: t('Share with the workspace'),
      run: () => void share(view),
    });
  const { [param]: _, ...withoutView } = search;
  return (
    <>
      {/* The row is always there, so that the search below does not move while one types. */}
      <nav aria-label={texts.label} className="mb-3 flex min-h-10 items-end gap-1 border-b border-line">
        <div className="tab-strip -mb-px flex min-w-0 flex-1 items-end gap-1">
          <button
            type="button"
            className={tabClass(isAll)}
            aria-current={isAll ? 'page' : undefined}
            onClick={() => openAll()}
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
              {view === standard && (
                <>
                  <Pin className="size-3.5" aria-hidden />
                  <span className="sr-only">{t('opens by default')}</span>
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
              {texts.save}
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
              <span className="max-sm:sr-only">{texts.saveAs}</span>
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
          {active && (
            <Menu
              trigger={<IconButton size="small" label={texts.options} icon={<Ellipsis aria-hidden />} />}
              items={[
                active === standard
                  ? { label: t("Don't open by default"), onSelect: () => setStandard(undefined) }
                  : { label: t('Open by default'), onSelect: () => setStandard(active.id) },
                ...(active.own
                  ? [
                      { label: t('Rename'), onSelect: () => setDialog('rename') },
                      {
                        label: active.shared ? t('Make private') : t('Share with the workspace'),
                        onSelect: () => void share(active),
                      },
                    ]
                  : []),
                ...(active.own || isOwner
                  ? [{ label: t('Delete'), danger: true, onSelect: () => setDialog('delete') }]
                  : []),
              ]}
            />
          )}
          {source.actions}
        </div>
        {dialog === 'create' && (
          <LazyDialog
            title={texts.saveAs}
            load={loadSaveView}
            props={{ source, query, onSaved: open, onClose: () => setDialog(undefined) }}
          />
        )}
        {dialog === 'rename' && active && (
          <LazyDialog
            title={texts.rename}
            load={loadSaveView}
            props={{ source, view: active, onClose: () => setDialog(undefined) }}
          />
        )}
        {dialog === 'delete' && active && (
          <ConfirmDialog
            open
            title={t('Delete {name}?', { name: active.name })}
            action={texts.remove}
            danger
            consequences={active.shared ? [t('Other members lose it, too.')] : []}
            onConfirm={async () => {
              await source.remove(active.id);
              onOpen({});
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
            {texts.missing}{' '}
            {query === ''
              ? t('The list below shows all entries.')
              : t('The list below shows only the filters of the link.')}
          </Notice>
        </div>
      )}
    </>
  );
};
