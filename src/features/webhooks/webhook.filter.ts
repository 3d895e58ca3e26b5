import type { StoredEvent } from '../../records/event.store.ts';
import type { EndpointRow } from './webhook.store.ts';

type Filters = Pick<EndpointRow, 'types' | 'filter_tag' | 'filter_agent_id' | 'filter_campaign_id'>;

const WITHOUT_TAGS: readonly string[] = ['contact.deleted', 'contact.merged', 'contact.unmerged'];

/** Whether an event is about a contact with the tag. A change of tags is included, because the tag may have been removed, and so are
 *  deletes and merges, because they have no snapshot. */
const hasTag = ({ type, changed, data }: StoredEvent, tag: string): boolean => {
  if (!type.startsWith('contact.')) return false;
  if (WITHOUT_TAGS.includes(type)) return true;
  if (changed !== null && (JSON.parse(changed) as string[]).includes('tags')) return true;
  const { tags = [] } = data === null ? {} : (JSON.parse(data) as { tags?: string[] });
  return tags.includes(tag);
};

/** Returns a function that decides which events an endpoint receives; undefined if it receives all. All filters must match. */
export const eventFilter = ({ types, filter_tag, filter_agent_id, filter_campaign_id }: Filters) => {
  if ([types, filter_tag, filter_agent_id, filter_campaign_id].every((filter) => filter === null)) return;
  const wanted = types === null ? undefined : new Set(JSON.parse(types) as string[]);
  return (event: StoredEvent): boolean =>
    (wanted === undefined || wanted.has(event.type)) &&
    (filter_agent_id === null || event.agent_id === filter_agent_id) &&
    (filter_campaign_id === null || event.campaign_id === filter_campaign_id) &&
    (filter_tag === null || hasTag(event, filter_tag));
};
