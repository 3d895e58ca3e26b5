import type { Call, Result } from '../call.ts';
import type { Download } from '../download.ts';
import type { List } from '../list.ts';
import type { ChangeOptions, RequestOptions, WriteOptions } from '../options.ts';
import { at } from '../request.ts';
import { Resource } from '../resource.ts';
import type { Body, Data, Item, Query } from '../types.ts';

/** Campaigns, which are work queues of contacts to call. */
export class Campaigns extends Resource {
  /** Campaigns, newest first. */
  list(query?: Query<'listCampaigns'>, options?: RequestOptions): List<Item<'listCampaigns'>> {
    return this.list_<'listCampaigns'>('/campaigns', query, options);
  }

  /** A campaign with the number of its enrollments by status. */
  get(id: string, options?: RequestOptions): Call<Data<'getCampaign'>> {
    return this.get_<'getCampaign'>(at`/campaigns/${id}`, options);
  }

  /** The campaign, or undefined if its ETag is still the given one. */
  getIfChanged(
    id: string,
    etag: string,
    options?: RequestOptions,
  ): Promise<Result<Data<'getCampaign'>> | undefined> {
    return this.changed_<'getCampaign'>(at`/campaigns/${id}`, etag, options);
  }

  /** Creates a campaign: a draft, unless `status` says otherwise. */
  create(fields: Body<'createCampaign'>, options?: WriteOptions): Call<Data<'createCampaign'>> {
    return this.send_<'createCampaign'>('POST', '/campaigns', options, fields);
  }

  /** Changes the given fields. Only a campaign with the status `active` hands out contacts. */
  update(id: string, fields: Body<'updateCampaign'>, options?: ChangeOptions): Call<Data<'updateCampaign'>> {
    return this.send_<'updateCampaign'>('PATCH', at`/campaigns/${id}`, options, fields);
  }

  /** Deletes a campaign and its enrollments. Contacts and calls remain. */
  delete(id: string, options?: RequestOptions): Call<Data<'deleteCampaign'>> {
    return this.delete_(at`/campaigns/${id}`, options);
  }

  /** Creates a draft with the settings of a campaign, without its contacts. */
  duplicate(
    id: string,
    fields: Body<'duplicateCampaign'> = {},
    options?: WriteOptions,
  ): Call<Data<'duplicateCampaign'>> {
    return this.send_<'duplicateCampaign'>('POST', at`/campaigns/${id}/duplicate`, options, fields);
  }

  /** What happened in a campaign on each of the last days. */
  progress(
    id: string,
    query?: Query<'getCampaignProgress'>,
    options?: RequestOptions,
  ): Call<Data<'getCampaignProgress'>> {
    return this.get_<'getCampaignProgress'>(at`/campaigns/${id}/progress`, options, query);
  }

  /** What to look at before a campaign starts. */
  checkStart(id: string, options?: RequestOptions): Call<Data<'checkCampaignStart'>> {
    return this.get_<'checkCampaignStart'>(at`/campaigns/${id}/start-check`, options);
  }

  /** When a campaign starts and ends automatically, and when and how often its contacts may be called. */
  getSchedule(id: string, options?: RequestOptions): Call<Data<'getCampaignSchedule'>> {
    return this.get_<'getCampaignSchedule'>(at`/campaigns/${id}/schedule`, options);
  }

  /** Replaces the schedule. Omitted fields are cleared. */
  updateSchedule(
    id: string,
    fields: Body<'updateCampaignSchedule'>,
    options?: ChangeOptions,
  ): Call<Data<'updateCampaignSchedule'>> {
    return this.send_<'updateCampaignSchedule'>('PUT', at`/campaigns/${id}/schedule`, options, fields);
  }

  /** Hands out pending contacts under a lease, each to one caller at a time. With `render`, each claim has its instructions. */
  claim(id: string, fields: Body<'claimContacts'> = {}, options?: WriteOptions): Call<Data<'claimContacts'>> {
    return this.send_<'claimContacts'>('POST', at`/campaigns/${id}/claims`, options, fields);
  }

  /** Enrollments of a campaign; `status` filters them. */
  listEnrollments(
    id: string,
    query?: Query<'listCampaignEnrollments'>,
    options?: RequestOptions,
  ): List<Item<'listCampaignEnrollments'>> {
    return this.list_<'listCampaignEnrollments'>(at`/campaigns/${id}/enrollments`, query, options);
  }

  /** All enrollments of a campaign, oldest contacts first, as CSV; `status` filters them. */
  exportEnrollments(
    id: string,
    query?: Query<'exportCampaignEnrollments'>,
    options?: RequestOptions,
  ): Call<Download> {
    return this.download_(at`/campaigns/${id}/enrollments/export`, options, query);
  }

  /** Enrolls contacts by their ids, by a tag or by a search, each contact once. */
  enroll(id: string, fields: Body<'enrollContacts'>, options?: WriteOptions): Call<Data<'enrollContacts'>> {
    return this.send_<'enrollContacts'>('POST', at`/campaigns/${id}/enrollments`, options, fields);
  }

  /** Records the outcome of a call, and when to retry it, or extends a claim. */
  updateEnrollment(
    id: string,
    contactId: string,
    fields: Body<'updateEnrollment'>,
    options?: WriteOptions,
  ): Call<Data<'updateEnrollment'>> {
    const path = at`/campaigns/${id}/enrollments/${contactId}`;
    return this.send_<'updateEnrollment'>('PATCH', path, options, fields);
  }

  /** Removes a contact from a campaign, and ends its claim. */
  deleteEnrollment(id: string, contactId: string, options?: RequestOptions): Call<Data<'deleteEnrollment'>> {
    return this.delete_(at`/campaigns/${id}/enrollments/${contactId}`, options);
  }
}
