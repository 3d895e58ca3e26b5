// Generated from docs/openapi.json by build/sdk/types.ts.

export interface paths {
    "/v1/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contacts
         * @description Newest first. A contact must match every filter. With `cursor`, `sort` or one of the filters from `created_since` on, the `Link` header has the URL of the next page, and `offset` is not allowed. The filters `campaign` and `in_campaign` also require the scope `campaigns:read`, and `called` and `last_activity_…` require `calls:read`. Requires the scope `contacts:read`.
         */
        get: operations["listContacts"];
        put?: never;
        /**
         * Create a contact
         * @description The phone number must be in E.164 format and unique in the workspace. A 409 response names the contact that has it. Requires the scope `contacts:write`.
         */
        post: operations["createContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a contact
         * @description Includes the ids of the contact in CRMs. Requires the scope `contacts:read`.
         */
        get: operations["getContact"];
        put?: never;
        post?: never;
        /**
         * Delete a contact
         * @description Deletes the contact permanently. Its calls remain, without a link to it. Requires the scope `contacts:write`.
         */
        delete: operations["deleteContact"];
        options?: never;
        head?: never;
        /**
         * Update a contact
         * @description Changes only the fields in the request. `null` clears a text field; `tags` replaces all tags; `fields` is merged by key. Requires the scope `contacts:write`.
         */
        patch: operations["updateContact"];
        trace?: never;
    };
    "/v1/contacts/by-phone/{phone}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a contact by phone number
         * @description Includes the ids of the contact in CRMs. Finds a legacy contact by its normalized number, whatever number it displays. If no contact has the number, finds the one with another form of it, such as a Brazilian mobile number without its ninth digit. Requires the scope `contacts:read`.
         */
        get: operations["getContactByPhone"];
        /**
         * Create or update a contact by phone number
         * @description Creates the contact (201) or updates it (200): fields in the request change, omitted fields stay, `null` clears a text field, `tags` replaces all tags, and `fields` is merged by key. Requires the scope `contacts:write`.
         */
        put: operations["upsertContact"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/conflicts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contacts with conflicting phone numbers
         * @description Legacy contacts whose displayed and normalized numbers differ, each with the update that resolves it. Requires the scope `contacts:read`.
         */
        get: operations["listContactConflicts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create, update and delete many contacts
         * @description Executes up to 1,000 operations in their order, in one transaction, by the rules of the endpoints for single contacts. Failed operations are reported in the results, and the others are executed, unless `atomic` is true. `include` adds members to the results of creates and updates. Requires the scope `contacts:write`.
         */
        post: operations["batchContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/{id}/identities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a contact's identities
         * @description The primary number, then other current identities, then former ones. Requires the scope `contacts:read`.
         */
        get: operations["listContactIdentities"];
        put?: never;
        /**
         * Add an identity to a contact
         * @description A contact is found by each of its numbers. One value of a kind belongs to at most one contact at a time; a 409 response names the contact that has it. Calls and messages of a person without a contact who has this identity are linked to the contact. Requires the scope `contacts:write`.
         */
        post: operations["addIdentity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/{id}/identities/{identity_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove an identity from a contact
         * @description A current identity becomes a former one, and a former one is removed. The primary number cannot be removed. Requires the scope `contacts:write`.
         */
        delete: operations["removeIdentity"];
        options?: never;
        head?: never;
        /**
         * Make a number the contact's primary number
         * @description The `phone_number` of the contact changes. The former primary number stays as a secondary one. Requires the scope `contacts:write`.
         */
        patch: operations["makePrimary"];
        trace?: never;
    };
    "/v1/identities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List people without a contact
         * @description The identities of people whose calls and messages had no number, newest first. Requires the scope `contacts:read`.
         */
        get: operations["listIdentities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/identities/{kind}/{value}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find who has an identity
         * @description The identity, with the contact that has it now. Requires the scope `contacts:read`.
         */
        get: operations["getIdentity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export contacts
         * @description All contacts, or those that match every filter, oldest first, as CSV or as one JSON object per line. The filters `campaign` and `in_campaign` also require the scope `campaigns:read`, and `called` and `last_activity_…` require `calls:read`. Requires the scope `contacts:read`.
         */
        get: operations["exportContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contacts/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the timeline of a contact
         * @description What happened to the contact, newest first: its creation, edits, tags, imports, enrollments, calls and messages. Enrollments require the scope `campaigns:read`, calls and messages `calls:read`; without `kinds`, those that the key may not read are left out. Changes expire with the audit log; the creation and the calls remain. Requires the scope `contacts:read`.
         */
        get: operations["getContactTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tags
         * @description The tags of contacts, most used first unless `sort` says otherwise. Requires the scope `contacts:read`.
         */
        get: operations["listTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List fields
         * @description All fields of the workspace in the order of their creation, archived ones included. Requires the scope `contacts:read`.
         */
        get: operations["listFields"];
        put?: never;
        /**
         * Create a field
         * @description Contacts can have values of it from now on. A workspace can have 100 fields, 20 of them filterable. Requires the scope `admin`.
         */
        post: operations["createField"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fields/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a field
         * @description Requires the scope `contacts:read`.
         */
        get: operations["getField"];
        put?: never;
        post?: never;
        /**
         * Delete or archive a field
         * @description Deletes a field that no contact has a value of. Otherwise archives it: its values stay, but requests cannot write them, and responses and instructions leave them out. With `erase=true`, the values of an archived field are erased in the background, and then the field. Not while deployed instructions or the audience of a campaign use it (409). Requires the scope `admin`.
         */
        delete: operations["deleteField"];
        options?: never;
        head?: never;
        /**
         * Change a field
         * @description Changes the label, the options, `filterable` and `archived`. The key and the type never change. If `filterable` is switched on, the existing values are indexed in the background. A field that deployed instructions or the audience of a campaign use is not archived (409), and that of an audience stays filterable. Requires the scope `admin`.
         */
        patch: operations["updateField"];
        trace?: never;
    };
    "/v1/segments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List segments
         * @description The caller's own segments and the shared ones, by name. Requires the scope `contacts:read`.
         */
        get: operations["listSegments"];
        put?: never;
        /**
         * Create a segment
         * @description A filter of contacts under a name. Each user and each API key can have up to 100. A filter by campaigns or calls also requires the scope `campaigns:read` or `calls:read`. Requires the scope `contacts:write`.
         */
        post: operations["createSegment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/segments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a segment
         * @description A private segment of another user is not found. Requires the scope `contacts:read`.
         */
        get: operations["getSegment"];
        put?: never;
        post?: never;
        /**
         * Delete a segment
         * @description Its creator can delete a segment; owners and API keys also shared ones. The audience of a campaign that is not finished cannot be deleted: the 409 response names the campaigns to callers who may read them. Requires the scope `contacts:write`.
         */
        delete: operations["deleteSegment"];
        options?: never;
        head?: never;
        /**
         * Change a segment
         * @description Its creator can change a segment; owners and API keys also shared ones. Campaigns with the segment as their live audience check all contacts again. A filter by campaigns or calls also requires the scope `campaigns:read` or `calls:read`. Requires the scope `contacts:write`.
         */
        patch: operations["updateSegment"];
        trace?: never;
    };
    "/v1/segments/{id}/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the contacts of a segment
         * @description The exact number of contacts that match now. A filter by campaigns or calls also requires the scope `campaigns:read` or `calls:read`. Requires the scope `contacts:read`.
         */
        get: operations["countSegment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List bulk jobs
         * @description Newest first. Jobs are listed for 30 days after they have ended, exports for one day. Requires the scope `contacts:read`.
         */
        get: operations["listBulkJobs"];
        put?: never;
        /**
         * Create a bulk job
         * @description Tags, deletes or enrolls the selected contacts in the background, sets values of their fields, or renames a tag. Contacts that are created later are not part of the job. A workspace can have 20 unfinished jobs; another one is rejected with 409. A job with the action `export` is done immediately: download it from `/bulk-jobs/{id}/export`. An export and a selection by filter also require the scope `contacts:read`, and enrolling `campaigns:write` and `contacts:read`. Without `contacts:read`, the response has no counts. The filters `campaign` and `in_campaign` also require `campaigns:read`, and `called` and `last_activity_…` require `calls:read`. Requires the scope `contacts:write`.
         */
        post: operations["createBulkJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a bulk job
         * @description Shows the progress and the result. Requires the scope `contacts:read`.
         */
        get: operations["getBulkJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-jobs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a bulk job
         * @description Stops a job that is queued or running. Its changes so far remain. Requires the scope `contacts:write`.
         */
        post: operations["cancelBulkJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-jobs/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo a bulk job
         * @description Creates a job with the action `undo`, which restores what a job has changed: the tags that it added or removed, at their positions, the former values of fields, and the enrollments that it made, unless someone has claimed or changed them. What was changed since stays. A job that has ended, was canceled or failed can be undone for 30 days, until `undo_until`; a delete or an export cannot. Of the undo, `changed` counts the restored contacts, `blocked` those that were changed since, and `missing` those that were deleted since. It requires the same scopes as creating the job. Requires the scope `contacts:write`.
         */
        post: operations["undoBulkJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-jobs/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an export
         * @description The contacts of an export job as they are now, oldest first, as CSV or as one JSON object per line. Nothing is stored, so a deleted contact is not part of a later download. An export can be downloaded for one day. It requires the same scopes as the filters of the job. Requires the scope `contacts:read`.
         */
        get: operations["downloadBulkExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/duplicates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List likely duplicates
         * @description Groups of contacts that are likely the same person, newest first. The first request of a workspace starts the comparison of its contacts: `status` is `building` until all are compared. From then on, changes of contacts are compared in the background, usually within two seconds. A value that more than 20 contacts share has no group. Requires the scope `contacts:read`.
         */
        get: operations["listDuplicates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/duplicates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a group of likely duplicates
         * @description A group exists while at least two contacts, and at most 20, have its value in common. Requires the scope `contacts:read`.
         */
        get: operations["getDuplicate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/duplicates/{id}/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Dismiss a group of likely duplicates
         * @description Remembers for each pair of the contacts that they are different people, whatever they have in common. The group is no longer listed. If another contact joins it, it is listed again, with `dismissed_pairs`. Requires the scopes `contacts:write` and `contacts:read`.
         */
        post: operations["dismissDuplicate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/duplicates/{id}/dismissal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Undo the dismissal of a group
         * @description Lists the group again. Pairs of its contacts that were dismissed with another group are restored as well. Requires the scopes `contacts:write` and `contacts:read`.
         */
        delete: operations["restoreDuplicate"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/merges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List merges
         * @description Newest first. Requires the scope `contacts:read`.
         */
        get: operations["listMerges"];
        put?: never;
        /**
         * Merge contacts
         * @description With `dry_run: true`, returns what a merge would do, with a `plan_token`, and changes nothing. The same request with the `plan_token` instead merges the contacts in one transaction; it fails with 409 if anything that the plan depends on was changed since. The other contacts become a part of the survivor, with their identities, tags, fields, calls and enrollments. Their ids answer 404 with `merged_into`. Requires the scopes `contacts:merge` and `contacts:read`.
         */
        post: operations["createMerge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/merges/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a merge
         * @description With the values that the survivor did not keep, for 30 days. Requires the scope `contacts:read`.
         */
        get: operations["getMerge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/merges/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo a merge
         * @description For 30 days. Each contact exists again, with its id, position, fields, tags, identities, enrollments and calls. What was written to the survivor since stays there: `kept` names the fields. `not_restored` has the identities that another contact has by now, and the enrollments that were changed since. Of several merges, the newest is undone first; a 409 response names it. Requires the scopes `contacts:merge` and `contacts:read`.
         */
        post: operations["undoMerge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agents
         * @description Newest first. Excludes deleted agents. Requires the scope `agents:read`.
         */
        get: operations["listAgents"];
        put?: never;
        /**
         * Create an agent
         * @description The instructions become the first version, `v1`, as a draft. Requires the scope `agents:write`.
         */
        post: operations["createAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Duplicate an agent
         * @description Creates an agent with the same description and with the text of one version as its draft `v1`. The copy has no deployed version and no channels. Requires the scope `agents:write`.
         */
        post: operations["duplicateAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an agent
         * @description Includes the deployed version with its instructions, and a summary of every version. Requires the scope `agents:read`.
         */
        get: operations["getAgent"];
        put?: never;
        post?: never;
        /**
         * Delete an agent
         * @description A soft delete: the agent is no longer accessible, but its history remains. Requires the scope `agents:write`.
         */
        delete: operations["deleteAgent"];
        options?: never;
        head?: never;
        /**
         * Update an agent
         * @description New instructions become a new draft. The deployed version stays active until another one is deployed. Requires the scope `agents:write`.
         */
        patch: operations["updateAgent"];
        trace?: never;
    };
    "/v1/agents/{id}/variables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an agent's own variables
         * @description The names in its instructions that only enrollments and runtimes provide. Requires the scope `agents:read`.
         */
        get: operations["getAgentVariables"];
        /**
         * Replace an agent's own variables
         * @description A deploy refuses instructions with names that are neither declared here nor a contact's variables or fields. A name that the deployed version uses cannot be removed. Requires the scope `agents:write`.
         */
        put: operations["replaceAgentVariables"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of an agent
         * @description Newest first, each with its author, the version that it is based on, and its last deploy. Excludes the instructions and the config. Requires the scope `agents:read`.
         */
        get: operations["listVersions"];
        put?: never;
        /**
         * Create a version
         * @description A draft, returned without its texts. Instructions and config that the request does not have are copied from `based_on`. A config must match the schema of the agent, and must not contain credentials: send references such as `$secret:name`, which are returned as they are. `If-Match` takes the ETag of the agent. Requires the scope `agents:write`.
         */
        post: operations["createVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/config-schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the schema of an agent's config
         * @description Requires the scope `agents:read`.
         */
        get: operations["getConfigSchema"];
        /**
         * Replace the schema of an agent's config
         * @description A JSON Schema (draft 2020-12) that the config of new versions must match. `format` is not checked. Existing versions stay as they are, and can be deployed. Requires the scope `agents:write`.
         */
        put: operations["replaceConfigSchema"];
        post?: never;
        /**
         * Delete the schema of an agent's config
         * @description The config of new versions can then be any JSON object. Requires the scope `agents:write`.
         */
        delete: operations["deleteConfigSchema"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a version
         * @description Requires the scope `agents:read`.
         */
        get: operations["getVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/versions/{version}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare two versions
         * @description How this version differs from `from`: the lines of the instructions, and the members of the config by their paths. Texts with more than 600 changed lines are shown as completely replaced. Requires the scope `agents:read`.
         */
        get: operations["compareVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Roll back to the previously deployed version
         * @description Deploys the version that was deployed before the current one. A second rollback returns to the version that the first one replaced. Unknown variables are rejected as by a deploy. Requires the scope `agents:deploy`.
         */
        post: operations["rollBackAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/versions/{version}/deploy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deploy a version
         * @description Archives the deployed version and activates this one. Deploying an archived version is a rollback. Instructions with unknown variables are rejected unless `confirm_unknown_variables` is true. Requires the scope `agents:deploy`.
         */
        post: operations["deployVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/deploys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deploys of an agent
         * @description Newest first. Requires the scope `agents:read`.
         */
        get: operations["listAgentDeploys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/versions/{version}/deploys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deploys of a version
         * @description The periods in which the version was live, newest first. Requires the scope `agents:read`.
         */
        get: operations["listVersionDeploys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deploys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deploys
         * @description All deploys in the workspace, newest first. Requires the scope `agents:read`.
         */
        get: operations["listDeploys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/active": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the version that was active at a time
         * @description At the time `at`, or now if it is omitted. `null` before the first deploy. Requires the scope `agents:read`.
         */
        get: operations["getActiveVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/versions/{version}/render": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Render the instructions of a version
         * @description The text with the values of a contact, which the request names in one of three ways. Nothing is stored. Unknown names remain as they are written. Requires the scopes `agents:read` and `contacts:read`.
         */
        post: operations["renderVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List channels
         * @description Newest first. Requires the scope `channels:read`.
         */
        get: operations["listChannels"];
        put?: never;
        /**
         * Create a channel
         * @description The secret is shown only once. Runtimes authenticate with it, and senders sign events with it. Requires the scopes `channels:write`, `agents:read`, `contacts:read`, `contacts:write` and `calls:read`.
         */
        post: operations["createChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/channels/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a channel
         * @description Requires the scope `channels:read`.
         */
        get: operations["getChannel"];
        put?: never;
        post?: never;
        /**
         * Delete a channel
         * @description Requires the scope `channels:write`.
         */
        delete: operations["deleteChannel"];
        options?: never;
        head?: never;
        /**
         * Update a channel
         * @description A new platform secret is accepted immediately. The old one stays valid for `grace_hours`, by default 0. A new one, and an `adapter`, also require the scopes that rotating the secret requires, because they give access to the same. Another adapter removes the stored secret. Requires the scope `channels:write`.
         */
        patch: operations["updateChannel"];
        trace?: never;
    };
    "/v1/channels/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of a channel
         * @description The new secret is shown only once. The old one stays valid for `grace_hours`, by default 24; 0 revokes it immediately. Requires the scopes `channels:write`, `agents:read`, `contacts:read`, `contacts:write` and `calls:read`.
         */
        post: operations["rotateChannelSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/channels/{id}/old-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke the old secret of a channel
         * @description Ends the grace period of the old secret. Requires the scope `channels:write`.
         */
        delete: operations["revokeOldChannelSecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/channels/{id}/agent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Connect an agent to a channel
         * @description Replaces the connected agent. The agent serves the channel once it has a deployed version. Requires the scopes `channels:write`, `agents:read`, `contacts:read`, `contacts:write` and `calls:read`.
         */
        put: operations["connectAgent"];
        post?: never;
        /**
         * Disconnect the agent from a channel
         * @description Requires the scope `channels:write`.
         */
        delete: operations["disconnectAgent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List calls
         * @description Calls and messages, newest first. A call must match every filter. With several filters the total counts at most 10000 calls. Requires the scope `calls:read`.
         */
        get: operations["listCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/calls/statistics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count calls by status, day, duration and version
         * @description The calls that match every filter. The period is the last 30 days unless times are given, and at most 366 days. Days are in the time zone of the workspace. Requires the scope `calls:read`.
         */
        get: operations["getCallStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/calls/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tags of calls
         * @description In alphabetical order, at most 1000. Requires the scope `calls:read`.
         */
        get: operations["listCallTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/outcomes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count dispositions and goals by day, version and channel
         * @description The calls that match every filter, exactly, of at most 366 days: by default the last 30. A call counts for the day on which it started, in the time zone of the workspace. Requires the scope `calls:read`.
         */
        get: operations["getOutcomes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/call-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the call settings
         * @description Requires the scope `calls:read`.
         */
        get: operations["getCallSettings"];
        /**
         * Replace the call settings
         * @description The dispositions that reports may have, the rules that copy reported data to fields of contacts, and the retention of transcripts. A disposition that calls have may be removed: they keep it. Without `transcript_days`, stored transcripts are deleted within the hour. Requires the scope `admin`.
         */
        put: operations["replaceCallSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/calls/{id}/transcript": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a call's transcript
         * @description Requires the scope `calls:read`.
         */
        get: operations["getTranscript"];
        /**
         * Replace a call's transcript
         * @description Only if the call settings keep transcripts. It expires, and is deleted with the contact. Without turns it is erased, whatever the settings. Requires the scope `calls:write`.
         */
        put: operations["replaceTranscript"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/calls/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a call
         * @description Requires the scope `calls:read`.
         */
        get: operations["getCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a call's note and tags
         * @description What your team adds to a call. Reports do not change it; it is deleted with the contact. A note or tags for a call whose contact was deleted are 409. Requires the scopes `calls:write` and `calls:read`.
         */
        patch: operations["updateCall"];
        trace?: never;
    };
    "/v1/calls/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export calls
         * @description All calls and messages, or those that match every filter, latest start first, as CSV. Requires the scope `calls:read`.
         */
        get: operations["exportCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List campaigns
         * @description Requires the scope `campaigns:read`.
         */
        get: operations["listCampaigns"];
        put?: never;
        /**
         * Create a campaign
         * @description Requires the scopes `campaigns:write` and `agents:read`.
         */
        post: operations["createCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a campaign
         * @description Requires the scope `campaigns:read`.
         */
        get: operations["getCampaign"];
        put?: never;
        post?: never;
        /**
         * Delete a campaign
         * @description Deletes the campaign and its enrollments. Contacts and calls remain. The campaign is gone immediately; many enrollments are deleted in the background. Requires the scope `campaigns:write`.
         */
        delete: operations["deleteCampaign"];
        options?: never;
        head?: never;
        /**
         * Update a campaign
         * @description A draft or paused campaign can become active, an active one can be paused, and each of them can be finished. Another `agent_id` also requires the scope `agents:read`. Requires the scope `campaigns:write`.
         */
        patch: operations["updateCampaign"];
        trace?: never;
    };
    "/v1/campaigns/{id}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Duplicate a campaign
         * @description Creates a draft with the agent, the audience, the call window and the limits on attempts of the campaign, but without an audience that you may not use. Its start and end are not copied. To enroll its contacts in the copy, create a bulk job with the filter `campaign`. Requires the scope `campaigns:write`.
         */
        post: operations["duplicateCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the progress of a campaign
         * @description How many contacts were enrolled, claimed, completed and failed on each of the last days, the outcomes of all, the values that blocked ones lack, when a dialer last claimed contacts, and when a closed call window opens. Requires the scope `campaigns:read`.
         */
        get: operations["getCampaignProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/start-check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check a campaign before it starts
         * @description Whether the agent has a deployed version, contacts are enrolled, and they have the values that the instructions use. Nothing is enforced: a campaign can start anyway. Requires the scope `campaigns:read`.
         */
        get: operations["checkCampaignStart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/enrollments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the enrollments of a campaign
         * @description Newest contacts first, unless `sort` says otherwise. `status` selects the enrollments with that status, and `search` those of matching contacts, which also requires the scope `contacts:read`. Requires the scope `campaigns:read`.
         */
        get: operations["listCampaignEnrollments"];
        put?: never;
        /**
         * Enroll contacts
         * @description Enrolls the contacts selected by `contact_ids`, `contacts`, `tag`, `search` or `filter`, each once. `variables` are values for the instructions. Attributes and filters that are about calls also require the scope `calls:read`, and those about campaigns `campaigns:read`. Requires the scopes `campaigns:write` and `contacts:read`.
         */
        post: operations["enrollContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/enrollments/{contact}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an enrollment
         * @description Requires the scope `campaigns:write`.
         */
        delete: operations["deleteEnrollment"];
        options?: never;
        head?: never;
        /**
         * Update an enrollment
         * @description Changes the status, records the outcome of an attempt, returns the contact to the queue (`pending`, optionally with `retry_at`), extends the lease of a claim, or changes variables. With `claim_id`, it does so only while that claim is the current one. Requires the scope `campaigns:write`.
         */
        patch: operations["updateEnrollment"];
        trace?: never;
    };
    "/v1/contacts/{id}/enrollments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the enrollments of a contact
         * @description Requires the scope `campaigns:read`.
         */
        get: operations["listContactEnrollments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{id}/versions/{version}/impact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview what a deploy would change
         * @description Requires the scope `agents:read`.
         */
        get: operations["previewDeploy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the schedule of a campaign
         * @description Requires the scope `campaigns:read`.
         */
        get: operations["getCampaignSchedule"];
        /**
         * Replace the schedule of a campaign
         * @description Sets when the campaign starts and ends automatically, when contacts may be called in their local time, and how often. Replaces the whole schedule: omitted fields are cleared. Requires the scope `campaigns:write`.
         */
        put: operations["updateCampaignSchedule"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/claims": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim contacts of a campaign
         * @description Hands out contacts that are due, each to one caller at a time: first those whose retry time has come or whose lease has expired, then the others in the order of their enrollment. Report the result with `PATCH /v1/campaigns/{id}/enrollments/{contact}` and the `claim_id` before the lease expires; otherwise the contact is handed out again. A campaign that is not active, or whose end has passed, hands out none. With a call window, only contacts whose local time is inside the window are handed out; if there are none, the header `Retry-After` says in how many seconds the first one can be claimed. With `render`, the response has the config of the version, each claim has the instructions for its contact, and a contact without a needed value becomes `blocked`. Requires the scope `campaigns:write`.
         */
        post: operations["claimContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/campaigns/{id}/enrollments/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the enrollments of a campaign
         * @description All enrollments of the campaign, or those with a status, oldest contacts first, as CSV, each with the last call on a channel of the agent since the contact was enrolled. For a key without the scope `contacts:read`, the columns with names and phone numbers are empty, and without `calls:read` those about calls. Requires the scope `campaigns:read`.
         */
        get: operations["exportCampaignEnrollments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports/columns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview the columns of a file
         * @description The body is the first bytes of a CSV file, up to 1 MiB, or a whole .xlsx workbook, up to 20 MiB, as it is or as the only part of a form. Returns how the file would be read; nothing is stored. Requires the scope `imports:write`.
         */
        post: operations["previewImportColumns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List imports
         * @description Requires the scope `imports:write`.
         */
        get: operations["listImports"];
        put?: never;
        /**
         * Upload a file and plan its import
         * @description The body is the CSV file or .xlsx workbook, as it is or as the only part of a form. The response follows when every row has a verdict; contacts do not change yet. 409 if the rows of all imports would exceed the storage of the workspace: delete imports that are no longer needed. 404 or 409 if no one can be enrolled in the campaign. Requires the scopes `imports:write` and `contacts:read`.
         */
        post: operations["createImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an import
         * @description Requires the scope `imports:write`.
         */
        get: operations["getImport"];
        put?: never;
        post?: never;
        /**
         * Delete an import
         * @description Requires the scope `imports:write`.
         */
        delete: operations["deleteImport"];
        options?: never;
        head?: never;
        /**
         * Plan an import again
         * @description With different columns, options or header row. Requires the scopes `imports:write` and `contacts:read`.
         */
        patch: operations["replanImport"];
        trace?: never;
    };
    "/v1/imports/{id}/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the rows of an import
         * @description Cells are truncated to 1,000 characters and rows to 16,000; the report has all that is stored. `include` shows stored values of contacts, so it also requires the scope `contacts:read`. Requires the scope `imports:write`.
         */
        get: operations["listImportRows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports/{id}/reasons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the reasons of an import
         * @description Why rows are rejected, or imported without a cell, with counts. `GET …/rows?reason=…` lists the rows of a reason. Requires the scope `imports:write`.
         */
        get: operations["getImportReasons"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports/{id}/report.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the report of an import
         * @description Every row with its verdict and effect, or those of a filter, as CSV. You can correct the file and import it again. Requires the scope `imports:write`.
         */
        get: operations["downloadImportReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports/{id}/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Apply an import
         * @description Runs in the background. Read the import for its progress. An import with a campaign also requires the scopes `campaigns:write` and `contacts:read`; 409 if the campaign is finished or deleted. Requires the scope `imports:write`.
         */
        post: operations["applyImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/imports/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview the undo of an import
         * @description What an undo would do now, as numbers of contacts and enrollments. Changes nothing. An import with a campaign also requires the scope `campaigns:write`. Requires the scope `imports:write`.
         */
        get: operations["previewImportUndo"];
        put?: never;
        /**
         * Undo an import
         * @description Possible for 30 days. Contacts whose imported values were changed since, and new ones that a dialer had claimed, are left as they are; their rows have the effect `edited_since`. An import with a campaign also requires the scope `campaigns:write`. Requires the scope `imports:write`.
         */
        post: operations["undoImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/integrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List integrations
         * @description Requires the scope `admin`.
         */
        get: operations["listIntegrations"];
        put?: never;
        /**
         * Create an integration
         * @description The secret is shown only once. Requires the scopes `admin`, `contacts:read` and `contacts:write`.
         */
        post: operations["createIntegration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/integrations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an integration
         * @description Requires the scope `admin`.
         */
        get: operations["getIntegration"];
        put?: never;
        post?: never;
        /**
         * Delete an integration
         * @description Requires the scope `admin`.
         */
        delete: operations["deleteIntegration"];
        options?: never;
        head?: never;
        /**
         * Rename an integration
         * @description Requires the scope `admin`.
         */
        patch: operations["updateIntegration"];
        trace?: never;
    };
    "/v1/integrations/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of an integration
         * @description The new secret is shown only once. The old one stays valid for `grace_hours`, by default 24; 0 revokes it immediately. Requires the scopes `admin`, `contacts:read` and `contacts:write`.
         */
        post: operations["rotateIntegrationSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/integrations/{id}/old-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke the old secret of an integration
         * @description Ends the grace period of the old secret. Requires the scope `admin`.
         */
        delete: operations["revokeOldIntegrationSecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Requires the scope `admin`.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The key is shown only once. A caller with an API key grants only scopes that it has. Requires the scope `admin`.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an API key
         * @description Requires the scope `admin`.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description Requires the scope `admin`.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description Requires the scope `admin`.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create a user
         * @description The response contains a link with which the user signs in and sets a password. An API key cannot create an owner. Requires the scope `admin`.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{id}/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a sign-in link for a user
         * @description For a user who has no password or forgot it. Invalidates the previous link. An API key cannot create one for an owner. Requires the scope `admin`.
         */
        post: operations["createSignInLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a user
         * @description Requires the scope `admin`.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        /**
         * Delete a user
         * @description Requires the scope `admin`.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Change the role of a user
         * @description Requires the scope `admin`.
         */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/v1/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the settings
         * @description Requires the scope `admin`.
         */
        get: operations["getSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the settings
         * @description Requires the scope `admin`.
         */
        patch: operations["updateSettings"];
        trace?: never;
    };
    "/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit entries
         * @description Every change and who made it, newest first. An entry must match every filter. A key sees the emails of users and the names of webhooks only with the scope `admin`, and the names of contacts with `contacts:read`. Requires the scope `audit:read`.
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Every change, in the order of the commits and without gaps. Send the `after` of a response to continue. With `wait`, an empty response is delayed until there is an event. With `Accept: text/event-stream`, the response is a stream of server-sent events that does not end. If an event after `after` was deleted, the status is 410. Requires the scope `events:read`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an event
         * @description Requires the scope `events:read`.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Newest first. Requires the scope `admin`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Events from now on are sent to the URL, signed as Standard Webhooks. The secret is shown only once. A workspace can have 100 webhooks. Requires the scopes `admin` and `events:read`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description Requires the scope `admin`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Its deliveries and attempts are deleted too. Requires the scope `admin`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Update a webhook
         * @description With the status `active`, a webhook that was disabled or paused is sent all events since then, and waiting deliveries are tried again. Requires the scopes `admin` and `events:read`.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of a webhook
         * @description The new secret is shown only once. The old one stays valid for `grace_hours`, by default 24; 0 revokes it immediately. Requires the scopes `admin` and `events:read`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/old-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke the old secret of a webhook
         * @description Ends the grace period of the old secret. Requires the scope `admin`.
         */
        delete: operations["revokeOldWebhookSecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attempts of a webhook
         * @description Newest first. Send the number of the last attempt as `before` to get the next page. Requires the scope `admin`.
         */
        get: operations["listWebhookAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/attempts/{attempt}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an attempt of a webhook
         * @description With the request and the first KB of the response. Requires the scopes `admin` and `events:read`.
         */
        get: operations["getWebhookAttempt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to a webhook
         * @description Sends an event of the type `webhook.test` once, now, and returns the attempt. It is also sent if the webhook is paused or disabled, and is not in the feed. Requires the scopes `admin` and `events:read`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send events to a webhook again
         * @description Send one of `event_id`, `since` (with an optional `until`) and `failed`. A range and failed events are sent in the background; only one of them can run at a time. Requires the scopes `admin` and `events:read`.
         */
        post: operations["replayWebhook"];
        /**
         * Cancel the replay of a webhook
         * @description Events that the replay has reached are still sent. Requires the scope `admin`.
         */
        delete: operations["cancelWebhookReplay"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hooks/channels/{id}/agent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the live version of a channel
         * @description The deployed version of the channel's agent, never a draft. With `number` also the contact and the instructions with its values.
         */
        get: operations["getChannelAgent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hooks/channels/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report a call or a message
         * @description Called by a runtime with signed JSON, or by Twilio with a signed form, which gets empty TwiML. The same `provider_id` is the same call: a later report updates it, and may add its result.
         */
        post: operations["receiveCallEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hooks/channels/{id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a conversation
         * @description Returns what an agent needs to speak: the contact, the deployed version with its rendered instructions and its configuration, and the contact's last calls. An inbound call of an unknown number creates the contact. The same `provider_id` again returns the same session with 200.
         */
        post: operations["startSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hooks/channels/{id}/platform": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive a message of a voice platform
         * @description Called by the platform that the channel's `adapter` names, in its own format. A message that starts a call gets the agent's deployed version in the platform's format; a report records the call. Other messages are ignored.
         */
        post: operations["receivePlatformMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hooks/contacts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create or update a contact from a CRM
         * @description The contact is identified by its phone number. Fields in the request change, omitted fields stay.
         */
        post: operations["receiveContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "contact.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event contact.created
         * @description Roster sends this request to the URL of a webhook. Verify the signature before you use the event.
         */
        post: operations["onContactCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contact.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event contact.updated
         * @description Roster sends this request to the URL of a webhook. Verify the signature before you use the event.
         */
        post: operations["onContactUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contact.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event contact.deleted
         * @description Roster sends this request to the URL of a webhook. Verify the signature before you use the event.
         */
        post: operations["onContactDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contact.merged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event contact.merged
         * @description Roster sends this request to the URL of a webhook. Verify the signature before you use the event.
         */
        post: operations["onContactMerged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contact.unmerged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event contact.unmerged
         * @description Roster sends this request to the URL of a webhook. Verify the signature before you use the event.
         */
        post: operations["onContactUnmerged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "agent.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event agent.created
         * @description Roster sends this request to the URL of a webhook. Verify the signature before you use the event.
         */
        post: operations["onAgentCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "agent.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event agent.updated
         * @description Roster sends this request to the URL of a webhook. Verify the signature before you use the event.
         */
        post: operations["onAgentUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "agent.deployed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event agent.deployed
         * @description Roster sends this request to the URL of a webhook. Verify the signature before you use the event.
         */
        post: operations["onAgentDeployed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "agent.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event agent.deleted
         * @description Roster sends this request to the URL of a webhook. Verify the signature before you use the event.
         */
        post: operations["onAgentDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "version.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event version.created
         * @description Roster sends this request to the URL of a webhook. Verify the signature before you use the event.
         */
        post: operations["onVersionCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "channel.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event channel.created
         * @description Roster sends this request to the URL of a webhook. Verify the signature before you use the event.
         */
        post: operations["onChannelCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "channel.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event channel.updated
         * @description Roster sends this request to the URL of a webhook. Verify the signature before you use the event.
         */
        post: operations["onChannelUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "channel.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event channel.deleted
         * @description Roster sends this request to the URL of a webhook. Verify the signature before you use the event.
         */
        post: operations["onChannelDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.recorded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event call.recorded
         * @description Roster sends this request to the URL of a webhook. Verify the signature before you use the event.
         */
        post: operations["onCallRecorded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event call.updated
         * @description Roster sends this request to the URL of a webhook. Verify the signature before you use the event.
         */
        post: operations["onCallUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event campaign.created
         * @description Roster sends this request to the URL of a webhook. Verify the signature before you use the event.
         */
        post: operations["onCampaignCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event campaign.updated
         * @description Roster sends this request to the URL of a webhook. Verify the signature before you use the event.
         */
        post: operations["onCampaignUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event campaign.deleted
         * @description Roster sends this request to the URL of a webhook. Verify the signature before you use the event.
         */
        post: operations["onCampaignDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "enrollment.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event enrollment.created
         * @description Roster sends this request to the URL of a webhook. Verify the signature before you use the event.
         */
        post: operations["onEnrollmentCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "enrollment.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event enrollment.updated
         * @description Roster sends this request to the URL of a webhook. Verify the signature before you use the event.
         */
        post: operations["onEnrollmentUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "enrollment.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event enrollment.deleted
         * @description Roster sends this request to the URL of a webhook. Verify the signature before you use the event.
         */
        post: operations["onEnrollmentDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "import.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event import.created
         * @description Roster sends this request to the URL of a webhook. Verify the signature before you use the event.
         */
        post: operations["onImportCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "import.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event import.updated
         * @description Roster sends this request to the URL of a webhook. Verify the signature before you use the event.
         */
        post: operations["onImportUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "import.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event import.deleted
         * @description Roster sends this request to the URL of a webhook. Verify the signature before you use the event.
         */
        post: operations["onImportDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event webhook.disabled
         * @description Roster sends this request to the URL of a webhook. Verify the signature before you use the event.
         */
        post: operations["onWebhookDisabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event webhook.test
         * @description Roster sends this request to the URL of a webhook. Verify the signature before you use the event.
         */
        post: operations["onWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Identity: {
            id: string;
            /** @enum {string} */
            kind: "phone" | "whatsapp_user" | "email_address" | "external";
            value: string;
            /** @description Whether it is the contact's number. */
            is_primary: boolean;
            /** @description How it was verified. */
            verified_by: string | null;
            /**
             * Format: date-time
             * @description Since when the contact has had it.
             */
            valid_from: string;
            valid_until: string | null;
        };
        Contact: {
            /** @description A prefix and 26 characters that encode a UUIDv7. */
            id: string;
            /** @description E.164. Some legacy contacts have a number in national format. */
            phone_number: string;
            /** @description Given name. */
            first_name: string | null;
            /** @description Family name. */
            last_name: string | null;
            /** @description How the contact wants to be addressed. */
            display_name: string | null;
            /** @description An email address. */
            email: string | null;
            /** @description The company that the contact works for. */
            company: string | null;
            /** @description Internal notes for the team. */
            notes: string | null;
            /** @description In the order in which they were sent. */
            tags: string[];
            /**
             * @description How the contact was created.
             * @enum {string}
             */
            source: "api" | "import" | "manual" | "inbound" | "webhook";
            /**
             * Format: date-time
             * @description When the contact was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the contact was last updated. Increases with every update.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When the first contact took place.
             */
            first_contact_at: string;
            /**
             * Format: date-time
             * @description When the most recent contact took place.
             */
            last_contact_at: string;
            /** @description The contact's id in each CRM, by CRM name. */
            crm_ids?: {
                [key: string]: string;
            };
            /** @description The contact's values of the workspace's fields, by key. Archived fields are left out. */
            fields?: {
                [key: string]: string | number | boolean;
            };
            /** @description Current ones first. */
            identities?: components["schemas"]["Identity"][];
        };
        Pagination: {
            total: number;
            limit: number;
            offset: number;
            has_more: boolean;
        };
        Problem: {
            field: string;
            message: string;
        };
        Error: {
            /** @constant */
            success: false;
            error: {
                /** @enum {string} */
                code: "VALIDATION_ERROR" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "GONE" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_MISMATCH" | "RATE_LIMITED" | "INTERNAL_ERROR" | "UNAVAILABLE";
                message: string;
                /** @description The invalid fields, or for a conflict the conflicting record. */
                details?: components["schemas"]["Problem"][] | {
                    [key: string]: string;
                };
                request_id: string;
            };
        };
        ContactCreate: {
            /**
             * @description E.164: + and the country code, 7 to 15 digits in total. Unique in the workspace.
             * @example +14155550100
             */
            phone_number: string;
            /**
             * @description Given name.
             * @example Ada
             */
            first_name?: string | null;
            /**
             * @description Family name.
             * @example Lovelace
             */
            last_name?: string | null;
            /**
             * @description How the contact wants to be addressed.
             * @example Ada
             */
            display_name?: string | null;
            /**
             * @description An email address.
             * @example ada@example.com
             */
            email?: string | null;
            /**
             * @description The company that the contact works for.
             * @example Analytical Engines
             */
            company?: string | null;
            /**
             * @description Internal notes for the team.
             * @example Prefers calls in the morning.
             */
            notes?: string | null;
            /** @description Replaces all tags. Duplicates are removed; the order is preserved. At most 50 different entries. */
            tags?: string[];
            /** @description Values of the workspace's fields by key. Other fields stay as they are; `null` clears one. */
            fields?: {
                [key: string]: string | number | boolean | null;
            };
            /** @description Set by the service. Ignored in a request. */
            readonly id?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly source?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly first_contact_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly last_contact_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly created_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly updated_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly crm_ids?: unknown;
        };
        CreatedContact: {
            /** @description A prefix and 26 characters that encode a UUIDv7. */
            id: string;
            /** @description E.164. Some legacy contacts have a number in national format. */
            phone_number: string;
            /** @description Given name. */
            first_name: string | null;
            /** @description Family name. */
            last_name: string | null;
            /** @description How the contact wants to be addressed. */
            display_name: string | null;
            /** @description An email address. */
            email: string | null;
            /** @description The company that the contact works for. */
            company: string | null;
            /** @description Internal notes for the team. */
            notes: string | null;
            /** @description In the order in which they were sent. */
            tags: string[];
            /**
             * @description How the contact was created.
             * @enum {string}
             */
            source: "api" | "import" | "manual" | "inbound" | "webhook";
            /**
             * Format: date-time
             * @description When the contact was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the contact was last updated. Increases with every update.
             */
            updated_at: string;
            /** @description The contact's id in each CRM, by CRM name. */
            crm_ids?: {
                [key: string]: string;
            };
            /** @description The contact's values of the workspace's fields, by key. Archived fields are left out. */
            fields?: {
                [key: string]: string | number | boolean;
            };
            /** @description Current ones first. */
            identities?: components["schemas"]["Identity"][];
        };
        ContactWithCrmIds: {
            /** @description A prefix and 26 characters that encode a UUIDv7. */
            id: string;
            /** @description E.164. Some legacy contacts have a number in national format. */
            phone_number: string;
            /** @description Given name. */
            first_name: string | null;
            /** @description Family name. */
            last_name: string | null;
            /** @description How the contact wants to be addressed. */
            display_name: string | null;
            /** @description An email address. */
            email: string | null;
            /** @description The company that the contact works for. */
            company: string | null;
            /** @description Internal notes for the team. */
            notes: string | null;
            /** @description In the order in which they were sent. */
            tags: string[];
            /**
             * @description How the contact was created.
             * @enum {string}
             */
            source: "api" | "import" | "manual" | "inbound" | "webhook";
            /**
             * Format: date-time
             * @description When the contact was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the contact was last updated. Increases with every update.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When the first contact took place.
             */
            first_contact_at: string;
            /**
             * Format: date-time
             * @description When the most recent contact took place.
             */
            last_contact_at: string;
            /** @description The contact's id in each CRM, by CRM name. */
            crm_ids: {
                [key: string]: string;
            };
            /** @description The contact's values of the workspace's fields, by key. Archived fields are left out. */
            fields?: {
                [key: string]: string | number | boolean;
            };
            /** @description Current ones first. */
            identities?: components["schemas"]["Identity"][];
        };
        ContactUpdate: {
            /**
             * @description A new number must be in E.164 format. The stored number can be sent back unchanged in any format. In an upsert: the number in the path; if omitted, a legacy contact keeps the number that it displays.
             * @example +14155550100
             */
            phone_number?: string;
            /**
             * @description Must be true to change the number of a legacy contact whose displayed and normalized numbers conflict.
             * @example false
             */
            confirm_phone_change?: boolean;
            /**
             * @description Given name.
             * @example Ada
             */
            first_name?: string | null;
            /**
             * @description Family name.
             * @example Lovelace
             */
            last_name?: string | null;
            /**
             * @description How the contact wants to be addressed.
             * @example Ada
             */
            display_name?: string | null;
            /**
             * @description An email address.
             * @example ada@example.com
             */
            email?: string | null;
            /**
             * @description The company that the contact works for.
             * @example Analytical Engines
             */
            company?: string | null;
            /**
             * @description Internal notes for the team.
             * @example Prefers calls in the morning.
             */
            notes?: string | null;
            /** @description Replaces all tags. Duplicates are removed; the order is preserved. At most 50 different entries. */
            tags?: string[];
            /** @description Values of the workspace's fields by key. Other fields stay as they are; `null` clears one. */
            fields?: {
                [key: string]: string | number | boolean | null;
            };
            /** @description Set by the service. Ignored in a request. */
            readonly id?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly source?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly first_contact_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly last_contact_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly created_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly updated_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly crm_ids?: unknown;
        };
        /** @description For a key without the scope `contacts:read`: the id, and the fields of the request. */
        SentContact: {
            /** @description A prefix and 26 characters that encode a UUIDv7. */
            id: string;
            /** @description E.164. Some legacy contacts have a number in national format. */
            phone_number?: string;
            /** @description Given name. */
            first_name?: string | null;
            /** @description Family name. */
            last_name?: string | null;
            /** @description How the contact wants to be addressed. */
            display_name?: string | null;
            /** @description An email address. */
            email?: string | null;
            /** @description The company that the contact works for. */
            company?: string | null;
            /** @description Internal notes for the team. */
            notes?: string | null;
            /** @description In the order in which they were sent. */
            tags?: string[];
            /** @description The contact's values of the workspace's fields, by key. Archived fields are left out. */
            fields?: {
                [key: string]: string | number | boolean;
            };
        };
        Deleted: {
            /** @constant */
            deleted: true;
        };
        PhoneRepair: {
            phone_number: string | null;
            /** @constant */
            confirm_phone_change: true;
        };
        PhoneConflict: {
            contact: components["schemas"]["Contact"];
            normalized_phone: string | null;
            repair: components["schemas"]["PhoneRepair"];
        };
        ContactCreateOperation: {
            /** @enum {string} */
            op: "create" | "upsert";
            /**
             * @description E.164: + and the country code, 7 to 15 digits in total. Unique in the workspace.
             * @example +14155550100
             */
            phone_number: string;
            /**
             * @description Given name.
             * @example Ada
             */
            first_name?: string | null;
            /**
             * @description Family name.
             * @example Lovelace
             */
            last_name?: string | null;
            /**
             * @description How the contact wants to be addressed.
             * @example Ada
             */
            display_name?: string | null;
            /**
             * @description An email address.
             * @example ada@example.com
             */
            email?: string | null;
            /**
             * @description The company that the contact works for.
             * @example Analytical Engines
             */
            company?: string | null;
            /**
             * @description Internal notes for the team.
             * @example Prefers calls in the morning.
             */
            notes?: string | null;
            /** @description Replaces all tags. Duplicates are removed; the order is preserved. At most 50 different entries. */
            tags?: string[];
            /** @description Values of the workspace's fields by key. Other fields stay as they are; `null` clears one. */
            fields?: {
                [key: string]: string | number | boolean | null;
            };
            /** @description Set by the service. Ignored in a request. */
            readonly source?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly first_contact_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly last_contact_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly created_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly updated_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly crm_ids?: unknown;
        };
        ContactUpdateOperation: {
            /** @enum {string} */
            op: "update";
            /** @description The contact to update or delete, as a token or a UUID. */
            id?: string;
            /**
             * @description With an id, the new number. Without one, the E.164 number of the contact.
             * @example +14155550100
             */
            phone_number?: string;
            /**
             * @description Must be true to change the number of a legacy contact whose displayed and normalized numbers conflict.
             * @example false
             */
            confirm_phone_change?: boolean;
            /**
             * @description Given name.
             * @example Ada
             */
            first_name?: string | null;
            /**
             * @description Family name.
             * @example Lovelace
             */
            last_name?: string | null;
            /**
             * @description How the contact wants to be addressed.
             * @example Ada
             */
            display_name?: string | null;
            /**
             * @description An email address.
             * @example ada@example.com
             */
            email?: string | null;
            /**
             * @description The company that the contact works for.
             * @example Analytical Engines
             */
            company?: string | null;
            /**
             * @description Internal notes for the team.
             * @example Prefers calls in the morning.
             */
            notes?: string | null;
            /** @description Replaces all tags. Duplicates are removed; the order is preserved. At most 50 different entries. */
            tags?: string[];
            /** @description Values of the workspace's fields by key. Other fields stay as they are; `null` clears one. */
            fields?: {
                [key: string]: string | number | boolean | null;
            };
            /** @description Set by the service. Ignored in a request. */
            readonly source?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly first_contact_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly last_contact_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly created_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly updated_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly crm_ids?: unknown;
        };
        ContactDeleteOperation: {
            /** @enum {string} */
            op: "delete";
            /** @description The contact to update or delete, as a token or a UUID. */
            id?: string;
            /**
             * @description With an id, the new number. Without one, the E.164 number of the contact.
             * @example +14155550100
             */
            phone_number?: string;
        };
        /** @description `upsert` creates or updates by phone number. */
        ContactOperation: components["schemas"]["ContactCreateOperation"] | components["schemas"]["ContactUpdateOperation"] | components["schemas"]["ContactDeleteOperation"];
        ContactBatchRequest: {
            /** @description Executed in this order. Later operations see the results of earlier ones. */
            operations: components["schemas"]["ContactOperation"][];
            /**
             * @description If true, all operations succeed, or nothing changes and the error names the failed ones.
             * @default false
             */
            atomic?: boolean;
        };
        ContactOperationResult: {
            /** @description The position of the operation in the request, from 0. */
            index: number;
            /** @enum {string} */
            status: "created" | "updated" | "deleted" | "failed";
            /** @description The id of the contact; null if the operation failed. */
            id: string | null;
            /** @description The error that the endpoint for a single contact returns; null if the operation succeeded. */
            error: {
                /** @enum {string} */
                code: "VALIDATION_ERROR" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "GONE" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_MISMATCH" | "RATE_LIMITED" | "INTERNAL_ERROR" | "UNAVAILABLE";
                message: string;
                /** @description The invalid fields, or for a conflict the conflicting record. */
                details?: components["schemas"]["Problem"][] | {
                    [key: string]: string;
                };
            } | null;
            /** @description The contact's id in each CRM, by CRM name. */
            crm_ids?: {
                [key: string]: string;
            };
            /** @description The contact's values of the workspace's fields, by key. Archived fields are left out. */
            fields?: {
                [key: string]: string | number | boolean;
            };
            /** @description Current ones first. */
            identities?: components["schemas"]["Identity"][];
        };
        ContactBatch: {
            /** @description Number of created contacts. */
            created: number;
            /** @description Number of updates. */
            updated: number;
            /** @description Number of deleted contacts. */
            deleted: number;
            /** @description Number of failed operations. */
            failed: number;
            /** @description One for each operation, in the same order. */
            results: components["schemas"]["ContactOperationResult"][];
        };
        IdentityCreate: {
            /** @enum {string} */
            kind: "phone" | "whatsapp_user" | "email_address" | "external";
            /**
             * @description By kind: a number in E.164, an opaque business-scoped user id of WhatsApp (at most 128 characters), an email address, which is stored in lower case, or any id of another system.
             * @example +14155550101
             */
            value: string;
            /** @description How it was verified, such as `one-time code`. */
            verified_by?: string | null;
            /**
             * Format: date-time
             * @description Since when the contact has had it; not in the future. By default now.
             */
            valid_from?: string;
        };
        IdentityUpdate: {
            /**
             * @description Makes a current secondary number the contact's number.
             * @constant
             */
            is_primary: true;
        };
        HeldIdentity: {
            id: string;
            /** @enum {string} */
            kind: "phone" | "whatsapp_user" | "email_address" | "external";
            value: string;
            /** @description Whether it is the contact's number. */
            is_primary: boolean;
            /** @description How it was verified. */
            verified_by: string | null;
            /**
             * Format: date-time
             * @description Since when the contact has had it.
             */
            valid_from: string;
            valid_until: string | null;
            /** @description `null` for a person without a contact. */
            contact_id: string | null;
        };
        TimelineActor: {
            /**
             * @description `channel` is a call or message that came in on the channel.
             * @enum {string}
             */
            kind: "key" | "user" | "channel" | "integration" | "webhook" | "environment" | "command line" | "start" | "schedule" | "audience" | "unknown" | "import";
            /** @description The id of a key, user, channel, integration or import. */
            id: string | null;
            /** @description The current name; `null` if it was deleted or has none. The email of a user is shown to users and to keys with the scope `admin`. */
            name: string | null;
            /** @description Whether it was deleted. */
            deleted: boolean;
        };
        ChangedValues: {
            /** @description By the names of the fields. The id of a record is an object with its `id`, `name` and `deleted`. */
            before: {
                [key: string]: unknown;
            };
            /** @description By the names of the fields. The id of a record is an object with its `id`, `name` and `deleted`. */
            after: {
                [key: string]: unknown;
            };
        };
        TimelineTags: {
            added: string[];
            removed: string[];
        };
        TimelineEnrollment: {
            campaign_id: string;
            /** @description `null` if the campaign was deleted. */
            campaign_name: string | null;
            /** @description After the change; `null` if it was not recorded. */
            status: ("pending" | "in_progress" | "completed" | "failed" | "blocked" | "skipped") | null;
            /** @description How often the contact had been claimed. */
            attempts: number | null;
            /** @description How the last attempt went. */
            outcome: string | null;
        };
        Cost: {
            amount: number;
            currency: string;
        };
        Call: {
            id: string;
            channel_id: string;
            /** @description `null` if the channel was deleted. */
            channel_name: string | null;
            channel_kind: ("phone" | "sms" | "whatsapp" | "web_chat") | null;
            contact_id: string | null;
            /** @description The display name, or else the first and last name. */
            contact_name: string | null;
            agent_id: string | null;
            agent_name: string | null;
            /** @description Whether the agent was deleted. */
            agent_deleted: boolean;
            version_id: string | null;
            version_label: string | null;
            /** @enum {string} */
            type: "call" | "message";
            /** @enum {string} */
            direction: "inbound" | "outbound";
            /** @enum {string} */
            status: "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "canceled" | "failed";
            number: string | null;
            provider_id: string;
            /**
             * Format: date-time
             * @description When the call started.
             */
            started_at: string;
            ended_at: string | null;
            seconds: number | null;
            /** @description The session that pins the version and the contact; `null` if there was none. */
            session_id: string | null;
            disposition: string | null;
            /** @description Whether each goal was reached. */
            goals: {
                [key: string]: boolean;
            };
            ended_by: ("agent" | "caller" | "system") | null;
            cost: components["schemas"]["Cost"] | null;
            recording_url: string | null;
            summary: string | null;
            /** @description The text of a message. */
            text: string | null;
            /** @description What the conversation found out. */
            data: {
                [key: string]: unknown;
            };
            /** @description What the team has noted about the call. */
            note: string | null;
            /** @description The tags that the team has added, in their order. */
            tags: string[];
        };
        TimelineEntry: {
            /** @description Identifies the entry within the timeline. */
            id: string;
            /**
             * Format: date-time
             * @description When it happened: for a call, when it started.
             */
            at: string;
            /** @enum {string} */
            kind: "edit" | "tag" | "import" | "enrollment" | "call" | "message";
            /** @enum {string} */
            action: "contact.created" | "contact.updated" | "enrollment.created" | "enrollment.claimed" | "enrollment.updated" | "enrollment.deleted" | "call.recorded";
            /** @description Who made the change; `null` for a call, and if it was not recorded. */
            actor: components["schemas"]["TimelineActor"] | null;
            /** @description Of a new contact: how it was created. */
            source: ("api" | "import" | "manual" | "inbound" | "webhook") | null;
            /** @description The names of the changed fields. */
            fields: string[] | null;
            /** @description The values of the changed fields, without those of archived fields; `null` if they were not recorded. */
            changes: components["schemas"]["ChangedValues"] | null;
            /** @description The tags that were added and removed, if they were recorded. */
            tags: components["schemas"]["TimelineTags"] | null;
            /** @description The enrollment that was changed. */
            enrollment: components["schemas"]["TimelineEnrollment"] | null;
            /** @description The call or message as it is now. */
            call: components["schemas"]["Call"] | null;
            /** @description The id of the request that made the change. */
            request_id: string | null;
        };
        Timeline: {
            entries: components["schemas"]["TimelineEntry"][];
            /** @description Where the next page begins; `null` after the last. */
            next_cursor: string | null;
        };
        TagCount: {
            tag: string;
            /** @description Number of contacts with the tag. */
            count: number;
        };
        Field: {
            /** @description How requests and instructions name the field. */
            key: string;
            /** @description How people see it. */
            label: string;
            /** @enum {string} */
            type: "text" | "number" | "boolean" | "date" | "datetime" | "enum" | "url";
            /** @description Whether lists find contacts by it quickly. */
            filterable: boolean;
            archived_at: string | null;
            /**
             * Format: date-time
             * @description When the field was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the field was last changed.
             */
            updated_at: string;
            /** @description Only of an enum. */
            options?: string[];
        };
        FieldCreate: {
            /**
             * @description How requests and instructions name the field. It never changes.
             * @example renewal_date
             */
            key: string;
            /**
             * @description How people see the field.
             * @example Renewal date
             */
            label: string;
            /**
             * @description What values the field takes. It never changes.
             * @enum {string}
             */
            type: "text" | "number" | "boolean" | "date" | "datetime" | "enum" | "url";
            /** @description The values of an enum, in the order in which people see them. At most 100 different entries. */
            options?: string[];
            /** @description Whether lists find contacts by it quickly. At most 20 fields are. */
            filterable?: boolean;
            /** @description Set by the service. Ignored in a request. */
            readonly archived_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly created_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly updated_at?: unknown;
        };
        FieldUpdate: {
            /** @example renewal_date */
            key?: string;
            /**
             * @description How people see the field.
             * @example Renewal date
             */
            label?: string;
            /** @enum {string} */
            type?: "text" | "number" | "boolean" | "date" | "datetime" | "enum" | "url";
            /** @description All options of an enum. Options can be added and reordered, not removed. */
            options?: string[];
            /** @description Whether lists find contacts by it quickly. At most 20 fields are. */
            filterable?: boolean;
            /** @description Archives the field, or makes it usable again. */
            archived?: boolean;
            /** @description Set by the service. Ignored in a request. */
            readonly archived_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly created_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly updated_at?: unknown;
        };
        FieldDeletion: {
            /** @description Whether the field is gone. */
            deleted: boolean;
            /** @description Whether it is archived, because contacts have values. */
            archived: boolean;
            /** @description How many contacts have a value. */
            contacts: number;
        };
        /**
         * @description Conditions in groups: at most 50 conditions and 5 levels of groups. See docs/filters.md.
         * @example {
         *       "all": [
         *         {
         *           "attribute": "tag",
         *           "op": "eq",
         *           "value": "vip"
         *         },
         *         {
         *           "attribute": "last_activity_at",
         *           "op": "within_last",
         *           "value": "P30D"
         *         }
         *       ]
         *     }
         */
        ContactFilterTree: {
            /** @description An attribute of contacts, or `fields.` and the key of a field that is filterable. */
            attribute: ("phone_number" | "phone_country" | "name" | "first_name" | "last_name" | "display_name" | "email" | "company" | "notes" | "tag" | "source" | "created_at" | "updated_at" | "first_contact_at" | "last_contact_at" | "has_email" | "has_name" | "in_campaign" | "campaign" | "called" | "last_activity_at" | "call_status" | "import") | string;
            /**
             * @description The attribute's type decides which of them it has.
             * @enum {string}
             */
            op: "eq" | "ne" | "in" | "contains" | "starts_with" | "is_set" | "lt" | "lte" | "gt" | "gte" | "within_last" | "within_next";
            /** @description An array for `in`; a duration such as `P30D` for `within_last` and `within_next`; `true` (default) or `false` for `is_set`. */
            value?: (string | number | boolean) | (string | number | boolean)[];
        } | {
            /** @description All of them must match. `[]` matches every contact. */
            all: components["schemas"]["ContactFilterTree"][];
        } | {
            /** @description At least one of them must match. */
            any: components["schemas"]["ContactFilterTree"][];
        } | {
            not: components["schemas"]["ContactFilterTree"];
        };
        Segment: {
            id: string;
            name: string;
            filter: components["schemas"]["ContactFilterTree"];
            /**
             * @description The order in which the dashboard lists its contacts; `null` for newest first.
             * @enum {string|null}
             */
            sort: "created_at" | "updated_at" | "last_contact_at" | "name" | "-created_at" | "-updated_at" | "-last_contact_at" | "-name" | "last_activity_at" | "-last_activity_at" | null;
            /** @description The columns of the list in the dashboard; `null` for its default. */
            columns: string[] | null;
            /** @description Whether everyone in the workspace sees it. */
            shared: boolean;
            /** @description Whether the caller has created it. */
            own: boolean;
            /**
             * Format: date-time
             * @description When the segment was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the segment was last changed.
             */
            updated_at: string;
        };
        SegmentCreate: {
            /**
             * @description Its name.
             * @example Gold customers
             */
            name: string;
            filter: components["schemas"]["ContactFilterTree"];
            /**
             * @description The order in which the dashboard lists its contacts; `null` for newest first.
             * @enum {string|null}
             */
            sort?: "created_at" | "updated_at" | "last_contact_at" | "name" | "-created_at" | "-updated_at" | "-last_contact_at" | "-name" | "last_activity_at" | "-last_activity_at" | null;
            /** @description The columns of the list in the dashboard; `null` for its default. */
            columns?: string[] | null;
            /**
             * @description Whether everyone in the workspace sees it. Default: false. A segment of an API key is always shared.
             * @example true
             */
            shared?: boolean;
            /** @description Set by the service. Ignored in a request. */
            readonly id?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly own?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly created_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly updated_at?: unknown;
        };
        SegmentUpdate: {
            /**
             * @description Its name.
             * @example Gold customers
             */
            name?: string;
            filter?: components["schemas"]["ContactFilterTree"];
            /**
             * @description The order in which the dashboard lists its contacts; `null` for newest first.
             * @enum {string|null}
             */
            sort?: "created_at" | "updated_at" | "last_contact_at" | "name" | "-created_at" | "-updated_at" | "-last_contact_at" | "-name" | "last_activity_at" | "-last_activity_at" | null;
            /** @description The columns of the list in the dashboard; `null` for its default. */
            columns?: string[] | null;
            /**
             * @description Whether everyone in the workspace sees it. Default: false. A segment of an API key is always shared.
             * @example true
             */
            shared?: boolean;
            /** @description Set by the service. Ignored in a request. */
            readonly id?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly own?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly created_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly updated_at?: unknown;
        };
        SegmentCount: {
            /** @description How many contacts match now. */
            count: number;
        };
        BulkIds: {
            /** @description Contact ids. Unknown ids are counted as `missing`. At most 5000 different entries. */
            ids: string[];
        };
        /** @description A contact must match every member. `{}` selects all contacts. */
        ContactFilter: {
            /** @description Words in any order. Each must match part of the phone number, a name or the email address. */
            search?: string;
            /** @description Only contacts with exactly this tag. */
            tag?: string;
            /**
             * Format: date-time
             * @description Only contacts that were created at this time or later.
             */
            created_since?: string;
            /**
             * Format: date-time
             * @description Only contacts that were created before this time.
             */
            created_before?: string;
            /**
             * Format: date-time
             * @description Only contacts that were updated at this time or later.
             */
            updated_since?: string;
            /**
             * Format: date-time
             * @description Only contacts whose last contact was at this time or later.
             */
            last_contact_since?: string;
            /**
             * Format: date-time
             * @description Only contacts whose last contact was before this time.
             */
            last_contact_before?: string;
            /**
             * Format: date-time
             * @description Only contacts with a call or message at this time or later.
             */
            last_activity_since?: string;
            /**
             * Format: date-time
             * @description Only contacts whose last call or message was before this time.
             */
            last_activity_before?: string;
            /**
             * @description Only contacts with this source.
             * @enum {string}
             */
            source?: "api" | "import" | "manual" | "inbound" | "webhook";
            /** @description Only contacts with exactly this company name. */
            company?: string;
            /** @description Only contacts with this email address. Ignores the case of A to Z. */
            email?: string;
            /** @description Only contacts that are enrolled in this campaign. */
            campaign?: string;
            /** @description Only contacts that this import has created or updated, while its rows are stored. */
            import?: string;
            /** @description Only contacts with an email address, or only those without. */
            has_email?: boolean;
            /** @description Only contacts with a name, or only those without. */
            has_name?: boolean;
            /** @description Only contacts that are enrolled in a campaign, or only those in none. */
            in_campaign?: boolean;
            /** @description Only contacts with at least one call or message, or only those without any. */
            called?: boolean;
            /** @description Only contacts of this segment. */
            segment?: string;
            /**
             * @description Whether a contact must have any or all of the tags. Default: any.
             * @enum {string}
             */
            has_tag_match?: "any" | "all";
            /** @description Only contacts with these tags. At most 10 different entries. */
            has_tag?: string[];
            filter?: components["schemas"]["ContactFilterTree"];
        };
        BulkMatches: {
            filter: components["schemas"]["ContactFilter"] | components["schemas"]["ContactFilterTree"];
            /** @description Contacts to leave out. At most 1000 different entries. */
            except?: string[];
            /**
             * Format: date-time
             * @description Leaves out contacts that were created later, for example after they were counted.
             */
            created_until?: string;
        };
        /** @description Contacts by id, or all contacts that match a filter. */
        BulkSelection: components["schemas"]["BulkIds"] | components["schemas"]["BulkMatches"];
        BulkTag: {
            /** @enum {string} */
            action: "tag";
            selection: components["schemas"]["BulkSelection"];
            /** @description Tags to add after the existing ones. At most 50 different entries. */
            add?: string[];
            /** @description Tags to remove. At most 50 different entries. */
            remove?: string[];
        };
        BulkTagRename: {
            /** @enum {string} */
            action: "rename_tag";
            /** @example vip */
            tag: string;
            /** @example vip */
            to: string;
        };
        BulkFields: {
            /** @enum {string} */
            action: "set_fields";
            selection: components["schemas"]["BulkSelection"];
            /** @description Values of the workspace's fields by key. Other fields stay as they are; `null` clears one. */
            fields: {
                [key: string]: string | number | boolean | null;
            };
        };
        BulkDelete: {
            /** @enum {string} */
            action: "delete";
            selection: components["schemas"]["BulkSelection"];
        };
        BulkEnroll: {
            /** @enum {string} */
            action: "enroll";
            selection: components["schemas"]["BulkSelection"];
            /** @description The campaign to enroll the contacts in. */
            campaign_id: string;
        };
        BulkExport: {
            /** @enum {string} */
            action: "export";
            selection: components["schemas"]["BulkSelection"];
        };
        BulkJobCreate: components["schemas"]["BulkTag"] | components["schemas"]["BulkTagRename"] | components["schemas"]["BulkFields"] | components["schemas"]["BulkDelete"] | components["schemas"]["BulkEnroll"] | components["schemas"]["BulkExport"];
        BlockedContact: {
            id: string;
            /** @description Why the contact could not be changed, as a sentence. */
            reason: string;
        };
        BulkJobReceipt: {
            id: string;
            /**
             * @description An `undo` is created with `POST /bulk-jobs/{id}/undo`.
             * @enum {string}
             */
            action: "tag" | "rename_tag" | "set_fields" | "delete" | "enroll" | "export" | "undo";
            /**
             * @description `done`, `canceled` and `failed` jobs have ended. Their earlier changes remain.
             * @enum {string}
             */
            status: "queued" | "running" | "done" | "canceled" | "failed";
            /** @description The filter of the selection. Null if the selection has ids, and after the job has ended if the filter had `search`, `email` or `company`, or was a tree of conditions, which may be personal data. */
            filter: components["schemas"]["ContactFilter"] | components["schemas"]["ContactFilterTree"] | null;
            /** @description Number of contacts that the selection leaves out. */
            excluded: number;
            /** @description Tags to add. */
            add: string[];
            /** @description Tags to remove. */
            remove: string[];
            /** @description The tag to rename. */
            tag: string | null;
            /** @description The new name of the tag. */
            to: string | null;
            /** @description The campaign to enroll contacts in. */
            campaign_id: string | null;
            /** @description The keys of the fields to set. */
            fields: string[];
            /** @description The job that an undo restores. */
            undoes: string | null;
            /** @description The job that undoes this one, or has undone it. */
            undone_by: string | null;
            undo_until: string | null;
            /** @description Number of contacts in the selection when the job was created. Of a finished job: `processed`. Null for a key without the scope `contacts:read`. */
            total: number | null;
            /** @description Number of contacts that the job has reached. Null for a key without the scope `contacts:read`. */
            processed: number | null;
            /** @description Contacts that were changed, deleted or enrolled. Of an undo: those that were restored. Null for a key without the scope `contacts:read`. */
            changed: number | null;
            /** @description Contacts that needed no change. Null for a key without the scope `contacts:read`. */
            unchanged: number | null;
            /** @description Contacts that did not exist, or were deleted before the job reached them. Null for a key without the scope `contacts:read`. */
            missing: number | null;
            /** @description Contacts that could not be changed. Of an undo: those that were changed or claimed since; only the rest of them is restored. Null for a key without the scope `contacts:read`. */
            blocked: number | null;
            /** @description The first of the blocked contacts, at most 20. */
            blocked_contacts: components["schemas"]["BlockedContact"][];
            /** @description Why the job failed. */
            error: string | null;
            /** @description The id of the user or API key that created the job. */
            created_by: string;
            /** @description The email address of the user; null for an API key and a removed user. */
            created_by_email: string | null;
            /**
             * Format: date-time
             * @description When the job was created. Contacts that were created later are not part of it.
             */
            created_at: string;
            started_at: string | null;
            finished_at: string | null;
        };
        BulkJob: {
            id: string;
            /**
             * @description An `undo` is created with `POST /bulk-jobs/{id}/undo`.
             * @enum {string}
             */
            action: "tag" | "rename_tag" | "set_fields" | "delete" | "enroll" | "export" | "undo";
            /**
             * @description `done`, `canceled` and `failed` jobs have ended. Their earlier changes remain.
             * @enum {string}
             */
            status: "queued" | "running" | "done" | "canceled" | "failed";
            /** @description The filter of the selection. Null if the selection has ids, and after the job has ended if the filter had `search`, `email` or `company`, or was a tree of conditions, which may be personal data. */
            filter: components["schemas"]["ContactFilter"] | components["schemas"]["ContactFilterTree"] | null;
            /** @description Number of contacts that the selection leaves out. */
            excluded: number;
            /** @description Tags to add. */
            add: string[];
            /** @description Tags to remove. */
            remove: string[];
            /** @description The tag to rename. */
            tag: string | null;
            /** @description The new name of the tag. */
            to: string | null;
            /** @description The campaign to enroll contacts in. */
            campaign_id: string | null;
            /** @description The keys of the fields to set. */
            fields: string[];
            /** @description The job that an undo restores. */
            undoes: string | null;
            /** @description The job that undoes this one, or has undone it. */
            undone_by: string | null;
            undo_until: string | null;
            /** @description Number of contacts in the selection when the job was created. Of a finished job: `processed`. */
            total: number;
            /** @description Number of contacts that the job has reached. */
            processed: number;
            /** @description Contacts that were changed, deleted or enrolled. Of an undo: those that were restored. */
            changed: number;
            /** @description Contacts that needed no change. */
            unchanged: number;
            /** @description Contacts that did not exist, or were deleted before the job reached them. */
            missing: number;
            /** @description Contacts that could not be changed. Of an undo: those that were changed or claimed since; only the rest of them is restored. */
            blocked: number;
            /** @description The first of the blocked contacts, at most 20. */
            blocked_contacts: components["schemas"]["BlockedContact"][];
            /** @description Why the job failed. */
            error: string | null;
            /** @description The id of the user or API key that created the job. */
            created_by: string;
            /** @description The email address of the user; null for an API key and a removed user. */
            created_by_email: string | null;
            /**
             * Format: date-time
             * @description When the job was created. Contacts that were created later are not part of it.
             */
            created_at: string;
            started_at: string | null;
            finished_at: string | null;
        };
        DuplicateContact: {
            id: string;
            phone_number: string;
            /** @description The first name. */
            first_name: string | null;
            /** @description The last name. */
            last_name: string | null;
            /** @description The name to show. */
            display_name: string | null;
            /** @description The email. */
            email: string | null;
            /** @description The company. */
            company: string | null;
        };
        Duplicate: {
            /** @description It stays the same while the group exists. */
            id: string;
            /**
             * @description What the contacts have in common: numbers that are forms of one another, the email, an id in one CRM, an identity that reports attested for both, or the name and the company.
             * @enum {string}
             */
            reason: "variant_numbers" | "same_email" | "same_external_id" | "attested_identity" | "same_name_and_company";
            /**
             * @description `weak` for the name and the company, which two people can share.
             * @enum {string}
             */
            strength: "strong" | "weak";
            /** @description Whether all pairs of the contacts are dismissed as different people. */
            dismissed: boolean;
            /** @description The number of contacts. */
            count: number;
            /** @description 2 to 20 contacts in the order of their ids. A contact all of whose pairs are dismissed is left out, unless the group is dismissed. */
            contacts: components["schemas"]["DuplicateContact"][];
            /** @description The pairs of these contacts that are dismissed as different people. */
            dismissed_pairs: string[][];
            /**
             * Format: date-time
             * @description When the group was found.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its contacts or dismissals changed last.
             */
            updated_at: string;
        };
        DuplicateList: {
            /**
             * @description `building`: all contacts are being compared, and groups are missing. `updating`: the latest changes are being compared. `current`: the list has all changes.
             * @enum {string}
             */
            status: "building" | "updating" | "current";
            /** @description While the list is built: the part of the contacts that was compared. Then 1. */
            progress: number;
            duplicates: components["schemas"]["Duplicate"][];
            /** @description Where the next page begins; `null` after the last. */
            next_cursor: string | null;
        };
        MergeCreate: {
            /** @description The contact that stays. */
            survivor_id: string;
            /** @description The contacts that become a part of it. At most 9 different entries. */
            other_ids: string[];
            /** @description The contact whose value a field gets, by the field's name as the plan has it, such as `first_name`, `phone_number`, `fields.plan` or `crm_ids.hubspot`. */
            choices?: {
                [key: string]: string;
            };
            /**
             * @description Returns the plan and changes nothing.
             * @constant
             */
            dry_run?: true;
            /** @description That of the plan, to merge the contacts as planned. */
            plan_token?: string;
        };
        ValueOfContact: {
            /** @description The id of a contact. */
            contact_id: string;
            value: string | number | boolean;
        };
        MergedField: {
            /** @description Its name, by which `choices` names it. */
            field: string;
            value: string | number | boolean;
            /** @description Whose value it is. */
            contact_id: string;
            /** @description Whether the contacts have different values. */
            is_conflict: boolean;
            /** @description The values of all contacts that have one, the survivor first. */
            values: components["schemas"]["ValueOfContact"][];
        };
        MergeCounts: {
            /** @description Current and former ones. */
            identities: number;
            /** @description How many enrollments; `null` without the scope `campaigns:read`. */
            enrollments: number | null;
            /** @description How many calls and messages; `null` without the scope `calls:read`. */
            calls: number | null;
            /** @description How many sessions of runtimes; `null` without the scope `calls:read`. */
            sessions: number | null;
            /** @description Rendered instructions. */
            renderings: number;
            /** @description Rows of imports. */
            import_rows: number;
            /** @description What bulk jobs keep for an undo. */
            bulk_changes: number;
        };
        RemovedEnrollment: {
            /** @description The id of a contact. */
            contact_id: string;
            status: string;
        };
        MergedEnrollment: {
            campaign_id: string;
            /** @description Of the enrollment that stays: the most advanced. */
            status: string;
            /** @description Whose enrollment it is now. */
            contact_id: string;
            removed: components["schemas"]["RemovedEnrollment"][];
        };
        MergePlan: {
            survivor_id: string;
            other_ids: string[];
            /** @description Every field that one of the contacts has. */
            fields: components["schemas"]["MergedField"][];
            /** @description The tags of all contacts, in their order. */
            tags: string[];
            /**
             * Format: date-time
             * @description The earliest of all.
             */
            first_contact_at: string;
            /**
             * Format: date-time
             * @description The latest of all.
             */
            last_contact_at: string;
            moves: components["schemas"]["MergeCounts"];
            /** @description The campaigns in which one of the others is enrolled; `null` without the scope `campaigns:read`. */
            enrollments: components["schemas"]["MergedEnrollment"][] | null;
            /** @description What the caller should know before the merge. */
            warnings: string[];
            /** @description Send it instead of `dry_run` to merge the contacts as planned. */
            plan_token: string;
            /**
             * Format: date-time
             * @description Until when the token is valid.
             */
            expires_at: string;
        };
        NotRestored: {
            /** @description The id of a contact. */
            contact_id: string;
            /** @enum {string} */
            kind: "identity" | "enrollment";
            /** @enum {string} */
            reason: "held_by_other" | "removed" | "changed";
            /** @description The contact that has the identity by now. */
            held_by: string | null;
            /** @description Of an enrollment. */
            campaign_id: string | null;
        };
        Merge: {
            id: string;
            survivor_id: string;
            other_ids: string[];
            /**
             * @description `moving` while the rest of a large call history moves, which is already part of the survivor; `undoing` while it moves back.
             * @enum {string}
             */
            status: "moving" | "merged" | "undoing" | "undone";
            moved: components["schemas"]["MergeCounts"];
            /** @description The id of the user or the API key. */
            created_by: string;
            /**
             * Format: date-time
             * @description When the contacts were merged.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Until when it can be undone; `null` if it was.
             */
            undo_until: string | null;
            /** @description The id of the user or the API key that has undone it. */
            undone_by: string | null;
            /**
             * Format: date-time
             * @description When it was undone.
             */
            undone_at: string | null;
            /** @description Of an undo: fields that stay with the survivor, because they were changed since. */
            kept: string[];
            /** @description How many calls and messages since the merge stay with the survivor; `null` without the scope `calls:read`. */
            kept_calls: number | null;
            /** @description Of an undo: what could not be restored. */
            not_restored: components["schemas"]["NotRestored"][];
        };
        LostValue: {
            field: string;
            /** @description The id of a contact. */
            contact_id: string;
            value: string | number | boolean;
        };
        MergeWithLosses: {
            id: string;
            survivor_id: string;
            other_ids: string[];
            /**
             * @description `moving` while the rest of a large call history moves, which is already part of the survivor; `undoing` while it moves back.
             * @enum {string}
             */
            status: "moving" | "merged" | "undoing" | "undone";
            moved: components["schemas"]["MergeCounts"];
            /** @description The id of the user or the API key. */
            created_by: string;
            /**
             * Format: date-time
             * @description When the contacts were merged.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Until when it can be undone; `null` if it was.
             */
            undo_until: string | null;
            /** @description The id of the user or the API key that has undone it. */
            undone_by: string | null;
            /**
             * Format: date-time
             * @description When it was undone.
             */
            undone_at: string | null;
            /** @description Of an undo: fields that stay with the survivor, because they were changed since. */
            kept: string[];
            /** @description How many calls and messages since the merge stay with the survivor; `null` without the scope `calls:read`. */
            kept_calls: number | null;
            /** @description Of an undo: what could not be restored. */
            not_restored: components["schemas"]["NotRestored"][];
            /** @description The values that the survivor did not keep; `null` after an undo and after 30 days. */
            lost: components["schemas"]["LostValue"][] | null;
        };
        DeployedVersion: {
            /**
             * Format: uuid
             * @description A UUIDv7.
             */
            id: string;
            /** @description v1, v2, …: numbered per agent, without gaps. */
            version_label: string;
        };
        ListedAgent: {
            /**
             * Format: uuid
             * @description A UUIDv7.
             */
            id: string;
            /** @description The name of the agent. */
            name: string;
            /** @description The purpose of the agent. */
            description: string | null;
            /**
             * Format: date-time
             * @description When the agent was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the agent was last updated. Increases with every update.
             */
            updated_at: string;
            /** @description `null` until a version is deployed. */
            deployed_version: components["schemas"]["DeployedVersion"] | null;
        };
        AgentCreate: {
            /** @description The name of the agent. */
            name: string;
            /** @description The purpose of the agent. */
            description?: string | null;
            /** @description The system prompt. Sending it creates a new draft version. */
            instructions: string;
            /** @description Set by the service. Ignored in a request. */
            readonly id?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly created_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly updated_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly deployed_version?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly versions?: unknown;
        };
        WrittenAgent: {
            /**
             * Format: uuid
             * @description A UUIDv7.
             */
            id: string;
            /** @description The name of the agent. */
            name: string;
            /** @description The purpose of the agent. */
            description: string | null;
            /**
             * Format: date-time
             * @description When the agent was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the agent was last updated. Increases with every update.
             */
            updated_at: string;
        };
        AgentDuplicate: {
            /** @description The name of the copy; "Copy of" and the name of the agent if omitted. */
            name?: string;
            /** @description The version to copy, by id or label; if omitted, the deployed one, or else the newest. */
            version?: string;
        };
        DeployedVersionFull: {
            /**
             * Format: uuid
             * @description A UUIDv7.
             */
            id: string;
            /** @description v1, v2, …: numbered per agent, without gaps. */
            version_label: string;
            /** @description The active instructions. */
            instructions: string;
        };
        VersionSummary: {
            /**
             * Format: uuid
             * @description A UUIDv7.
             */
            id: string;
            /** @description v1, v2, …: numbered per agent, without gaps. */
            version_label: string;
            /**
             * @description At most one version is deployed.
             * @enum {string}
             */
            deployment_status: "draft" | "deployed" | "archived";
            /**
             * Format: date-time
             * @description When the version was created.
             */
            created_at: string;
        };
        Agent: {
            /**
             * Format: uuid
             * @description A UUIDv7.
             */
            id: string;
            /** @description The name of the agent. */
            name: string;
            /** @description The purpose of the agent. */
            description: string | null;
            /**
             * Format: date-time
             * @description When the agent was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the agent was last updated. Increases with every update.
             */
            updated_at: string;
            /** @description `null` until a version is deployed. */
            deployed_version: components["schemas"]["DeployedVersionFull"] | null;
            /** @description Newest first. */
            versions: components["schemas"]["VersionSummary"][];
        };
        AgentUpdate: {
            /** @description The name of the agent. */
            name?: string;
            /** @description The purpose of the agent. */
            description?: string | null;
            /** @description The system prompt. Sending it creates a new draft version. */
            instructions?: string;
            /** @description The version, by id or label, that the instructions were edited from. Ignored without `instructions`. */
            based_on?: string;
            /** @description Set by the service. Ignored in a request. */
            readonly id?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly created_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly updated_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly deployed_version?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly versions?: unknown;
        };
        AgentVariable: {
            /**
             * @description The name in placeholders: `slot` for `{{slot}}`.
             * @example slot
             */
            name: string;
            /**
             * @description What the value is.
             * @example The appointment to confirm
             */
            description: string | null;
            /**
             * @description A possible value.
             * @example Tuesday at ten
             */
            example: string | null;
        };
        AgentVariables: {
            /** @description In the order in which they were sent. */
            variables: components["schemas"]["AgentVariable"][];
        };
        AgentVariableInput: {
            /**
             * @description The name in placeholders: `slot` for `{{slot}}`.
             * @example slot
             */
            name: string;
            /**
             * @description What the value is.
             * @example The appointment to confirm
             */
            description?: string | null;
            /**
             * @description A possible value.
             * @example Tuesday at ten
             */
            example?: string | null;
        };
        AgentVariablesInput: {
            /** @description All variables that only enrollments and runtimes provide. Their names differ. */
            variables: components["schemas"]["AgentVariableInput"][];
        };
        VersionCreate: {
            /** @description The system prompt. Sending it creates a new draft version. */
            instructions?: string;
            /** @description What else the runtime needs, such as model, voice and tools. At most 64 KiB, stored and returned byte for byte. Name secrets as `$secret:name`. */
            config?: {
                [key: string]: unknown;
            };
            /**
             * @description What changed, and why.
             * @example A faster voice
             */
            note?: string | null;
            /** @description The version, by id or label, whose instructions and config are copied where the request has none; if omitted, the newest. */
            based_on?: string;
        };
        WrittenVersion: {
            id: string;
            version_label: string;
            /** @enum {string} */
            deployment_status: "draft" | "deployed" | "archived";
            /**
             * Format: date-time
             * @description When the version was created.
             */
            created_at: string;
            /** @description What changed, and why. */
            note: string | null;
            /** @description The SHA-256 of the canonical form (RFC 8785) of `config`, in hexadecimal digits. */
            config_sha256: string;
        };
        ConfigSchema: {
            /** @description As it was sent, byte for byte; `null` if there is none. */
            schema: {
                [key: string]: unknown;
            } | null;
        };
        ConfigSchemaInput: {
            /** @description A JSON Schema (draft 2020-12) of at most 64 KiB. `$ref` only within it. */
            schema: {
                [key: string]: unknown;
            };
        };
        BaseVersion: {
            agent_id: string;
            agent_name: string;
            /** @description Whether the agent was deleted. */
            agent_deleted: boolean;
            version_id: string;
            version_label: string;
        };
        Version: {
            id: string;
            version_label: string;
            /** @enum {string} */
            deployment_status: "draft" | "deployed" | "archived";
            /**
             * Format: date-time
             * @description When the version was created.
             */
            created_at: string;
            /** @description The id of the user or the API key that wrote the version; `null` if unknown. */
            created_by: string | null;
            /** @description The email of the user; `null` after the user is removed, if an API key wrote the version, and for callers with an API key that does not have the scope `admin`. */
            created_by_email: string | null;
            /** @description The name of the API key; `null` for a user. */
            created_by_key_name: string | null;
            /** @description The version that it was edited or copied from; `null` if unknown. */
            based_on: components["schemas"]["BaseVersion"] | null;
            deployed_at: string | null;
            deployed_by: string | null;
            /** @description The email of the user; `null` after the user is removed, if an API key deployed, and for callers with an API key that does not have the scope `admin`. */
            deployed_by_email: string | null;
            /** @description The name of the API key; `null` for a user. */
            deployed_by_key_name: string | null;
            note: string | null;
            /** @description What the author wrote about the version. `note` is that of the deploy. */
            version_note: string | null;
            /** @description The SHA-256 of the canonical form (RFC 8785) of `config`, in hexadecimal digits. */
            config_sha256: string;
            instructions: string;
            /** @description As it was sent, byte for byte; `{}` if there is none. */
            config: {
                [key: string]: unknown;
            };
        };
        ComparedVersion: {
            id: string;
            version_label: string;
            /** @enum {string} */
            deployment_status: "draft" | "deployed" | "archived";
            /**
             * Format: date-time
             * @description When the version was created.
             */
            created_at: string;
        };
        DiffChange: {
            /** @enum {string} */
            change: "same" | "added" | "removed";
            lines: string[];
        };
        DiffHunk: {
            /** @description The first line of the region in the version `from`. */
            from_start: number;
            /** @description The number of lines in that version. */
            from_lines: number;
            /** @description The first line of the region in the other version. */
            to_start: number;
            /** @description The number of lines in that version. */
            to_lines: number;
            changes: components["schemas"]["DiffChange"][];
        };
        ConfigChange: {
            /** @description A JSON Pointer, such as `/model/temperature`. */
            path: string;
            /** @enum {string} */
            change: "added" | "removed" | "changed";
            /** @description Any JSON value. */
            before?: unknown;
            /** @description Any JSON value. */
            after?: unknown;
        };
        ConfigDiff: {
            changes: components["schemas"]["ConfigChange"][];
        };
        VersionDiff: {
            from: components["schemas"]["ComparedVersion"];
            to: components["schemas"]["ComparedVersion"];
            /** @description Number of added lines. */
            added: number;
            /** @description Number of removed lines. */
            removed: number;
            /** @description The changed regions, each with up to three unchanged lines around it. Lines count from 1. */
            hunks: components["schemas"]["DiffHunk"][];
            /** @description The same as a unified diff; empty if the texts are equal. */
            unified: string;
            config: components["schemas"]["ConfigDiff"];
        };
        RollBackAgentRequest: {
            /**
             * @description Why it is deployed. The history of deploys shows it.
             * @example Friendlier greeting
             */
            note?: string | null;
            /**
             * @description Must be true to deploy instructions with unknown variables.
             * @example false
             */
            confirm_unknown_variables?: boolean;
            /** @description The version, by id or label, that must be deployed now; otherwise nothing changes. It makes a retry safe. */
            from?: string;
        };
        Deploy: {
            version_id: string;
            version_label: string;
            previous_version_id: string | null;
            /**
             * Format: date-time
             * @description When the version was deployed.
             */
            deployed_at: string;
            /** @description The id of the user or the API key. */
            deployed_by: string;
            /** @description The email of the user; `null` after the user is removed, if an API key deployed, and for callers with an API key that does not have the scope `admin`. */
            deployed_by_email: string | null;
            /** @description The name of the API key; `null` for a user. */
            deployed_by_key_name: string | null;
            note: string | null;
            /** @description False if the version was already deployed; the response then describes that deploy. */
            changed: boolean;
        };
        DeployVersionRequest: {
            /**
             * @description Why it is deployed. The history of deploys shows it.
             * @example Friendlier greeting
             */
            note?: string | null;
            /**
             * @description Must be true to deploy instructions with unknown variables.
             * @example false
             */
            confirm_unknown_variables?: boolean;
        };
        ListedVersion: {
            id: string;
            version_label: string;
            /** @enum {string} */
            deployment_status: "draft" | "deployed" | "archived";
            /**
             * Format: date-time
             * @description When the version was created.
             */
            created_at: string;
            /** @description The id of the user or the API key that wrote the version; `null` if unknown. */
            created_by: string | null;
            /** @description The email of the user; `null` after the user is removed, if an API key wrote the version, and for callers with an API key that does not have the scope `admin`. */
            created_by_email: string | null;
            /** @description The name of the API key; `null` for a user. */
            created_by_key_name: string | null;
            /** @description The version that it was edited or copied from; `null` if unknown. */
            based_on: components["schemas"]["BaseVersion"] | null;
            deployed_at: string | null;
            deployed_by: string | null;
            /** @description The email of the user; `null` after the user is removed, if an API key deployed, and for callers with an API key that does not have the scope `admin`. */
            deployed_by_email: string | null;
            /** @description The name of the API key; `null` for a user. */
            deployed_by_key_name: string | null;
            note: string | null;
            /** @description What the author wrote about the version. `note` is that of the deploy. */
            version_note: string | null;
            /** @description The SHA-256 of the canonical form (RFC 8785) of `config`, in hexadecimal digits. */
            config_sha256: string;
        };
        DeployRecord: {
            agent_id: string;
            agent_name: string;
            /** @description Whether the agent was deleted. */
            agent_deleted: boolean;
            version_id: string;
            version_label: string;
            previous_version_id: string | null;
            /**
             * Format: date-time
             * @description When the version was deployed.
             */
            deployed_at: string;
            /** @description The id of the user or the API key. */
            deployed_by: string;
            /** @description The email of the user; `null` after the user is removed, if an API key deployed, and for callers with an API key that does not have the scope `admin`. */
            deployed_by_email: string | null;
            /** @description The name of the API key; `null` for a user. */
            deployed_by_key_name: string | null;
            note: string | null;
            previous_version_label: string | null;
            active_until: string | null;
        };
        ActiveVersion: {
            id: string;
            version_label: string;
            /** @enum {string} */
            deployment_status: "draft" | "deployed" | "archived";
            /**
             * Format: date-time
             * @description When the version was created.
             */
            created_at: string;
            instructions: string;
            /**
             * Format: date-time
             * @description When the version was deployed.
             */
            deployed_at: string;
            /** @description The id of the user or the API key. */
            deployed_by: string;
            /** @description The email of the user; `null` after the user is removed, if an API key deployed, and for callers with an API key that does not have the scope `admin`. */
            deployed_by_email: string | null;
            /** @description The name of the API key; `null` for a user. */
            deployed_by_key_name: string | null;
            note: string | null;
            /** @description What the author wrote about the version. `note` is that of the deploy. */
            version_note: string | null;
            /** @description The SHA-256 of the canonical form (RFC 8785) of `config`, in hexadecimal digits. */
            config_sha256: string;
            /** @description As it was sent, byte for byte; `{}` if there is none. */
            config: {
                [key: string]: unknown;
            };
        };
        /** @description A contact that need not exist. */
        RenderedContactInput: {
            /**
             * @description E.164: + and the country code, 7 to 15 digits in total. Unique in the workspace.
             * @example +14155550100
             */
            phone_number?: string;
            /**
             * @description Given name.
             * @example Ada
             */
            first_name?: string | null;
            /**
             * @description Family name.
             * @example Lovelace
             */
            last_name?: string | null;
            /**
             * @description How the contact wants to be addressed.
             * @example Ada
             */
            display_name?: string | null;
            /**
             * @description An email address.
             * @example ada@example.com
             */
            email?: string | null;
            /**
             * @description The company that the contact works for.
             * @example Analytical Engines
             */
            company?: string | null;
            /**
             * @description Internal notes for the team.
             * @example Prefers calls in the morning.
             */
            notes?: string | null;
            /** @description Replaces all tags. Duplicates are removed; the order is preserved. At most 50 different entries. */
            tags?: string[];
            /** @description Values of the workspace's fields by key. Other fields stay as they are; `null` clears one. */
            fields?: {
                [key: string]: string | number | boolean | null;
            };
            id?: string | null;
            source?: string | null;
            /**
             * Format: date-time
             * @description A time with its time zone.
             */
            first_contact_at?: string | null;
            /**
             * Format: date-time
             * @description A time with its time zone.
             */
            last_contact_at?: string | null;
            /**
             * Format: date-time
             * @description A time with its time zone.
             */
            created_at?: string | null;
            /**
             * Format: date-time
             * @description A time with its time zone.
             */
            updated_at?: string | null;
            crm_ids?: {
                [key: string]: string;
            };
        };
        RenderInput: {
            /** @description The id of a contact. */
            contact_id?: string;
            /**
             * @description A contact's international number, in any format.
             * @example +14155550100
             */
            phone_number?: string;
            contact?: components["schemas"]["RenderedContactInput"];
            /** @description Values by name, such as those of an enrollment. */
            variables?: {
                [key: string]: string | number | boolean | null;
            };
            /** @description A text to render instead of the version's, such as one that is not saved yet. */
            instructions?: string;
        };
        RenderedVersion: {
            id: string;
            version_label: string;
        };
        Rendering: {
            /** @description The rendered instructions. */
            text: string;
            /** @description The values that were inserted, by the name in the placeholder. */
            used: {
                [key: string]: string;
            };
            /** @description The SHA-256 of the text in UTF-8, in hexadecimal digits. */
            sha256: string;
            /** @description Known names without a value and without a fallback. They are empty in the text. */
            holes: string[];
            version: components["schemas"]["RenderedVersion"];
            /** @description As it was sent, byte for byte; `{}` if there is none. */
            config: {
                [key: string]: unknown;
            };
        };
        ChannelAgent: {
            id: string;
            name: string;
        };
        Channel: {
            id: string;
            /** @enum {string} */
            kind: "phone" | "sms" | "whatsapp" | "web_chat";
            name: string;
            address: string;
            /** @enum {string} */
            adapter: "native" | "vapi" | "retell" | "elevenlabs" | "telnyx" | "twilio_conversationrelay" | "jambonz";
            agent: components["schemas"]["ChannelAgent"] | null;
            old_secret_expires_at: string | null;
            old_platform_secret_expires_at: string | null;
            /**
             * Format: date-time
             * @description When the channel was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the channel was last changed.
             */
            updated_at: string;
        };
        ChannelUpdate: {
            name?: string;
            address?: string;
            /**
             * @description The voice platform that the channel belongs to. `native` is for runtimes that use the hooks of channels, and for callbacks of Twilio.
             * @enum {string}
             */
            adapter?: "native" | "vapi" | "retell" | "elevenlabs" | "telnyx" | "twilio_conversationrelay" | "jambonz";
            /** @description What the platform signs with: the auth token of Twilio, the API key of Retell, the secret of the post-call webhook of ElevenLabs, the public key of Telnyx, or the webhook secret of jambonz. Without one, the secret of the channel is used. */
            platform_secret?: string | null;
            grace_hours?: number;
            /** @description Set by the service. Ignored in a request. */
            readonly id?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly agent?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly old_secret_expires_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly old_platform_secret_expires_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly created_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly updated_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly kind?: unknown;
        };
        ChannelCreate: {
            /** @enum {string} */
            kind: "phone" | "sms" | "whatsapp" | "web_chat";
            name: string;
            address: string;
            /**
             * @description The voice platform that the channel belongs to. `native` is for runtimes that use the hooks of channels, and for callbacks of Twilio.
             * @enum {string}
             */
            adapter?: "native" | "vapi" | "retell" | "elevenlabs" | "telnyx" | "twilio_conversationrelay" | "jambonz";
            /** @description What the platform signs with: the auth token of Twilio, the API key of Retell, the secret of the post-call webhook of ElevenLabs, the public key of Telnyx, or the webhook secret of jambonz. Without one, the secret of the channel is used. */
            platform_secret?: string | null;
            /** @description Set by the service. Ignored in a request. */
            readonly id?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly agent?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly old_secret_expires_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly old_platform_secret_expires_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly created_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly updated_at?: unknown;
        };
        CreatedChannel: {
            id: string;
            /** @enum {string} */
            kind: "phone" | "sms" | "whatsapp" | "web_chat";
            name: string;
            address: string;
            /** @enum {string} */
            adapter: "native" | "vapi" | "retell" | "elevenlabs" | "telnyx" | "twilio_conversationrelay" | "jambonz";
            agent: components["schemas"]["ChannelAgent"] | null;
            old_secret_expires_at: string | null;
            old_platform_secret_expires_at: string | null;
            /**
             * Format: date-time
             * @description When the channel was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the channel was last changed.
             */
            updated_at: string;
            /** @description Shown only once. */
            secret: string;
        };
        RotateChannelSecretRequest: {
            grace_hours?: number;
            /** @description While an old secret is still accepted, replaces the new secret, for example because it was lost. The old one remains accepted. */
            replace_new?: boolean;
        };
        ChannelAgentUpdate: {
            /** Format: uuid */
            agent_id: string;
        };
        CappedPagination: {
            total: number;
            limit: number;
            offset: number;
            has_more: boolean;
            /** @description Whether the list has more records than `total`. */
            total_is_capped: boolean;
        };
        CallsOfDay: {
            /** Format: date */
            day: string;
            /** @description Calls and messages. */
            calls: number;
            /** @description Those with a duration. */
            timed_calls: number;
            /** @description The sum of the durations. */
            seconds: number;
            /** @description Calls by status. A status without calls is missing. */
            statuses: {
                [key: string]: number;
            };
        };
        CallsOfDuration: {
            /** @description The shortest duration, in seconds. */
            from: number;
            /** @description The limit in seconds; `null` for the longest calls. */
            below: number | null;
            /** @description Calls with such a duration. */
            calls: number;
        };
        CallsOfVersion: {
            version_id: string;
            version_label: string;
            agent_id: string;
            agent_name: string;
            agent_deleted: boolean;
            /** @description Calls and messages. */
            calls: number;
            /** @description Those with a duration. */
            timed_calls: number;
            /** @description The sum of the durations. */
            seconds: number;
            /** @description Calls by status. A status without calls is missing. */
            statuses: {
                [key: string]: number;
            };
        };
        CallStatistics: {
            /** @description The time zone of the days. */
            time_zone: string;
            /**
             * Format: date-time
             * @description The start of the period.
             */
            started_since: string;
            /**
             * Format: date-time
             * @description The end of the period.
             */
            started_before: string;
            /** @description Whether all calls of the period are counted; otherwise the latest 100000. */
            is_complete: boolean;
            /** @description Calls and messages. */
            calls: number;
            /** @description Those with a duration. */
            timed_calls: number;
            /** @description The sum of the durations. */
            seconds: number;
            /** @description Calls by status. A status without calls is missing. */
            statuses: {
                [key: string]: number;
            };
            /** @description The days of the period, oldest first. */
            days: components["schemas"]["CallsOfDay"][];
            /** @description Calls by duration. */
            durations: components["schemas"]["CallsOfDuration"][];
            /** @description The 50 versions with most calls, in that order. */
            versions: components["schemas"]["CallsOfVersion"][];
        };
        CallTag: {
            tag: string;
        };
        GoalCounts: {
            reached: number;
            missed: number;
        };
        OutcomesOfDay: {
            /** Format: date */
            day: string;
            /** @description Calls by disposition. One without calls is missing. */
            dispositions: {
                [key: string]: number;
            };
            /** @description How many calls reached and missed each goal. One that no call reports is missing. */
            goals: {
                [key: string]: components["schemas"]["GoalCounts"];
            };
        };
        OutcomesOfVersion: {
            /** @description `null` for calls without a version. */
            version_id: string | null;
            version_label: string | null;
            agent_id: string | null;
            /** @description Calls by disposition. One without calls is missing. */
            dispositions: {
                [key: string]: number;
            };
            /** @description How many calls reached and missed each goal. One that no call reports is missing. */
            goals: {
                [key: string]: components["schemas"]["GoalCounts"];
            };
        };
        OutcomesOfChannel: {
            channel_id: string;
            /** @description `null` if the channel was deleted. */
            channel_name: string | null;
            /** @description Calls by disposition. One without calls is missing. */
            dispositions: {
                [key: string]: number;
            };
            /** @description How many calls reached and missed each goal. One that no call reports is missing. */
            goals: {
                [key: string]: components["schemas"]["GoalCounts"];
            };
        };
        Outcomes: {
            /** @description The time zone of the days. */
            time_zone: string;
            /** @description The days of the period, oldest first. An hour counts for the day in which it begins. */
            days: components["schemas"]["OutcomesOfDay"][];
            versions: components["schemas"]["OutcomesOfVersion"][];
            channels: components["schemas"]["OutcomesOfChannel"][];
            /** @description Calls by disposition. One without calls is missing. */
            dispositions: {
                [key: string]: number;
            };
            /** @description How many calls reached and missed each goal. One that no call reports is missing. */
            goals: {
                [key: string]: components["schemas"]["GoalCounts"];
            };
        };
        Disposition: {
            /** @example booked */
            key: string;
            /** @example Booked */
            label: string;
        };
        FieldRule: {
            /**
             * @description A member of `data`.
             * @example budget
             */
            data: string;
            /**
             * @description The key of a field of the workspace, or first_name, last_name, display_name, email, company, notes.
             * @example company
             */
            field: string;
            /**
             * @description `overwrite` replaces the value of the contact; `if_empty` leaves one that it has.
             * @enum {string}
             */
            mode: "overwrite" | "if_empty";
        };
        CallSettings: {
            dispositions: components["schemas"]["Disposition"][];
            field_rules: components["schemas"]["FieldRule"][];
            /** @description For how many days a transcript is kept; `null` if transcripts are off. */
            transcript_days: number | null;
        };
        DispositionInput: {
            /** @example booked */
            key: string;
            /** @example Booked */
            label: string;
        };
        FieldRuleInput: {
            /**
             * @description A member of `data`.
             * @example budget
             */
            data: string;
            /**
             * @description The key of a field of the workspace, or first_name, last_name, display_name, email, company, notes.
             * @example company
             */
            field: string;
            /**
             * @description `overwrite` replaces the value of the contact; `if_empty` leaves one that it has.
             * @enum {string}
             */
            mode: "overwrite" | "if_empty";
        };
        CallSettingsInput: {
            /** @description How calls can end. Their keys differ. */
            dispositions: components["schemas"]["DispositionInput"][];
            /** @description Which members of `data` are copied to fields of the contact. Each pair differs. */
            field_rules: components["schemas"]["FieldRuleInput"][];
            /** @description For how many days a transcript is kept. `null` turns transcripts off. */
            transcript_days: number | null;
        };
        Turn: {
            /** @enum {string} */
            speaker: "agent" | "caller" | "system";
            text: string;
            /**
             * Format: date-time
             * @description When the turn began, with its time zone; `null` if unknown.
             */
            at: string | null;
        };
        Transcript: {
            turns: components["schemas"]["Turn"][];
            /**
             * Format: date-time
             * @description When it is deleted, by the call settings as they are now.
             */
            expires_at: string;
        };
        TurnInput: {
            /** @enum {string} */
            speaker: "agent" | "caller" | "system";
            text: string;
            /**
             * Format: date-time
             * @description When the turn began, with its time zone; `null` if unknown.
             */
            at?: string | null;
        };
        TranscriptInput: {
            /** @description What was said, in its order: at most 2000 turns. Send an empty array to erase the transcript. */
            turns: components["schemas"]["TurnInput"][];
        };
        StoredTranscript: {
            /** @description `null` if it was erased. */
            expires_at: string | null;
        };
        CallInstructions: {
            /** @description The hash that the runtime reported. */
            sha256: string;
            /** @description `null` if no such text is stored for the contact. */
            text: string | null;
        };
        CallWithInstructions: {
            id: string;
            channel_id: string;
            /** @description `null` if the channel was deleted. */
            channel_name: string | null;
            channel_kind: ("phone" | "sms" | "whatsapp" | "web_chat") | null;
            contact_id: string | null;
            /** @description The display name, or else the first and last name. */
            contact_name: string | null;
            agent_id: string | null;
            agent_name: string | null;
            /** @description Whether the agent was deleted. */
            agent_deleted: boolean;
            version_id: string | null;
            version_label: string | null;
            /** @enum {string} */
            type: "call" | "message";
            /** @enum {string} */
            direction: "inbound" | "outbound";
            /** @enum {string} */
            status: "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "canceled" | "failed";
            number: string | null;
            provider_id: string;
            /**
             * Format: date-time
             * @description When the call started.
             */
            started_at: string;
            ended_at: string | null;
            seconds: number | null;
            /** @description The session that pins the version and the contact; `null` if there was none. */
            session_id: string | null;
            disposition: string | null;
            /** @description Whether each goal was reached. */
            goals: {
                [key: string]: boolean;
            };
            ended_by: ("agent" | "caller" | "system") | null;
            cost: components["schemas"]["Cost"] | null;
            recording_url: string | null;
            summary: string | null;
            /** @description The text of a message. */
            text: string | null;
            /** @description What the conversation found out. */
            data: {
                [key: string]: unknown;
            };
            /** @description What the team has noted about the call. */
            note: string | null;
            /** @description The tags that the team has added, in their order. */
            tags: string[];
            /** @description Only with `include`; `null` if the runtime did not report them. */
            instructions?: components["schemas"]["CallInstructions"] | null;
        };
        CallUpdate: {
            /** @description What the team notes about the call; `null` or an empty text removes it. */
            note?: string | null;
            /** @description Replaces all tags of the call. Duplicates are removed; the order is preserved. At most 50 different entries. */
            tags?: string[];
        };
        CampaignAgent: {
            id: string;
            name: string;
            /** @description Whether the agent was deleted. */
            deleted: boolean;
        };
        Audience: {
            segment_id: string;
            /** @enum {string} */
            mode: "snapshot" | "live";
        };
        EnrollmentCounts: {
            pending: number;
            in_progress: number;
            completed: number;
            failed: number;
            blocked: number;
            skipped: number;
        };
        /** @description When contacts may be called, in their local time. It does not extend over midnight. */
        CallWindow: {
            /** @description The days of the week. */
            days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
            /** @description The first minute, as HH:MM. */
            from: string;
            /** @description The end, as HH:MM up to 24:00; it is not part of the window. */
            to: string;
        };
        RetryRule: {
            /**
             * @description A disposition of the call settings.
             * @example booked
             */
            disposition: string;
            /**
             * @description `retry` returns the contact to the queue, `complete` and `fail` set its status to `completed` and `failed`.
             * @enum {string}
             */
            action: "retry" | "complete" | "fail";
            /** @description With `retry`: when the contact is due again. By default immediately. */
            after_minutes?: number;
        };
        CampaignSchedule: {
            campaign_id: string;
            /**
             * Format: date-time
             * @description When the campaign becomes active automatically. `null` or omitted: never.
             */
            starts_at: string | null;
            /**
             * Format: date-time
             * @description When it becomes finished automatically. `null` or omitted: never.
             */
            ends_at: string | null;
            call_window: components["schemas"]["CallWindow"] | null;
            /** @description How many times a contact is handed out. `null` or omitted: no limit. */
            max_attempts: number | null;
            /** @description The minimum time between two attempts at a contact, in minutes. `null` or omitted: none. */
            min_retry_minutes: number | null;
            /** @description What a report with a `disposition` does, each disposition once. Omitted: no rules. `min_retry_minutes` and `max_attempts` still apply. */
            retry_rules: components["schemas"]["RetryRule"][];
            /**
             * @description Whether the start is still to come (`scheduled`), and otherwise what happened: `started`, or why it did not: the agent had no deployed version or was deleted, the status was changed before, or the end had passed as well. `null` without a start.
             * @enum {string|null}
             */
            start_status: "scheduled" | "started" | "no_deployed_version" | "agent_deleted" | "changed_manually" | "end_passed" | null;
            /** @description The time zone of the workspace. It counts for contacts whose number has no known time zone. */
            time_zone: string;
        };
        ListedCampaign: {
            id: string;
            name: string;
            agent: components["schemas"]["CampaignAgent"];
            /** @enum {string} */
            status: "draft" | "active" | "paused" | "finished";
            /** @description The segment whose contacts are enrolled automatically. */
            audience: components["schemas"]["Audience"] | null;
            enrolled: components["schemas"]["EnrollmentCounts"];
            /**
             * Format: date-time
             * @description When the campaign was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the campaign was last changed.
             */
            updated_at: string;
            schedule?: components["schemas"]["CampaignSchedule"];
        };
        AudienceChange: {
            /** @description A shared segment. */
            segment_id: string;
            /** @enum {string} */
            mode: "snapshot" | "live";
        };
        CampaignCreate: {
            name: string;
            /** Format: uuid */
            agent_id: string;
            /** @enum {string} */
            status?: "draft" | "active" | "paused" | "finished";
            /** @description The segment whose contacts are enrolled in the background: those that match now (`snapshot`), or also those that come to match later (`live`). `null`: none. Contacts that are enrolled already remain. Also requires the scope `contacts:read`, and those of the filter. */
            audience?: components["schemas"]["AudienceChange"] | null;
            /** @description Set by the service. Ignored in a request. */
            readonly id?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly agent?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly enrolled?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly created_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly updated_at?: unknown;
        };
        Campaign: {
            id: string;
            name: string;
            agent: components["schemas"]["CampaignAgent"];
            /** @enum {string} */
            status: "draft" | "active" | "paused" | "finished";
            /** @description The segment whose contacts are enrolled automatically. */
            audience: components["schemas"]["Audience"] | null;
            enrolled: components["schemas"]["EnrollmentCounts"];
            /**
             * Format: date-time
             * @description When the campaign was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the campaign was last changed.
             */
            updated_at: string;
        };
        CampaignUpdate: {
            name?: string;
            /** Format: uuid */
            agent_id?: string;
            /** @enum {string} */
            status?: "draft" | "active" | "paused" | "finished";
            /** @description The segment whose contacts are enrolled in the background: those that match now (`snapshot`), or also those that come to match later (`live`). `null`: none. Contacts that are enrolled already remain. Also requires the scope `contacts:read`, and those of the filter. */
            audience?: components["schemas"]["AudienceChange"] | null;
            /** @description Set by the service. Ignored in a request. */
            readonly id?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly agent?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly enrolled?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly created_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly updated_at?: unknown;
        };
        CampaignDuplicate: {
            /** @description The name of the copy. Default: that of the campaign. */
            name?: string;
        };
        CampaignDay: {
            /**
             * Format: date
             * @description A day in the time zone of the workspace.
             */
            day: string;
            enrolled: number;
            claimed: number;
            completed: number;
            failed: number;
        };
        OutcomeCounts: {
            /** @description The outcome, as it was reported; `null` for all others: a campaign counts its first 50 by name. */
            outcome: string | null;
            pending: number;
            in_progress: number;
            completed: number;
            failed: number;
            blocked: number;
            skipped: number;
        };
        MissingValueCount: {
            /** @description A variable of the instructions. */
            name: string;
            /** @description How many contacts are blocked because they have no value for it. */
            contacts: number;
        };
        LastClaim: {
            /**
             * Format: date-time
             * @description The time of the claim.
             */
            at: string;
            /** @description The name of the API key; `null` if it was deleted, or if a user claimed. */
            key_name: string | null;
        };
        CampaignProgress: {
            time_zone: string;
            days: components["schemas"]["CampaignDay"][];
            /** @description The last reported outcomes of enrolled contacts by status, the most frequent first. */
            outcomes: components["schemas"]["OutcomeCounts"][];
            /** @description What blocked contacts lack, the most frequent first. */
            missing_values: components["schemas"]["MissingValueCount"][];
            /** @description When contacts were last claimed, as far as the audit log is kept; `null` if no one has claimed any. */
            last_claim: components["schemas"]["LastClaim"] | null;
            /**
             * Format: date-time
             * @description When the call window opens for the first contact in the queue; `null` if it is open for one, if no contact waits, or without a window.
             */
            window_opens_at: string | null;
        };
        StartCheckVersion: {
            id: string;
            version_label: string;
        };
        MissingValue: {
            /** @description A variable of the deployed instructions. */
            name: string;
            contacts_without_value: number;
        };
        WouldBeBlocked: {
            contact_id: string;
            /** @description The display name, or else the first and last name. */
            contact_name: string | null;
            contact_phone_number: string;
            /** @description The variables without a value. */
            holes: string[];
        };
        StartCheckBlocked: {
            /** @description How many contacts a claim with `render` would block. */
            count: number;
            /** @description Whether all contacts were checked. If not, there are at least `count`. */
            is_complete: boolean;
            /** @description The first 100 of them. `missing_values` counts all by what is missing. */
            contacts: components["schemas"]["WouldBeBlocked"][];
        };
        CampaignStartCheck: {
            /** @description Whether there is nothing to ask before the campaign starts. */
            ready: boolean;
            /** @description The agent's deployed version; `null` if there is none, or if the agent was deleted. */
            deployed_version: components["schemas"]["StartCheckVersion"] | null;
            agent_deleted: boolean;
            enrolled: number;
            pending: number;
            /** @description The variables without a value and without a fallback for some of the enrolled contacts that are not done. */
            missing_values: components["schemas"]["MissingValue"][];
            blocked: components["schemas"]["StartCheckBlocked"];
            unknown_variables: string[];
        };
        EnrolledContact: {
            contact_id: string;
            variables?: {
                [key: string]: string | number | boolean | null;
            };
        };
        EnrollmentCreate: {
            /** @description The ids of contacts. At most 1000 different entries. */
            contact_ids?: string[];
            /** @description Contacts, each with variables of its own, which win over those of all. */
            contacts?: components["schemas"]["EnrolledContact"][];
            /** @description Everyone with exactly this tag. */
            tag?: string;
            /** @description Everyone who matches this search. */
            search?: string;
            /** @description Everyone who matches this filter of the list of contacts. */
            filter?: components["schemas"]["ContactFilter"] | components["schemas"]["ContactFilterTree"];
            /** @description Values for the instructions, by name. They win over fields of the contact. A contact that is already enrolled keeps its own. */
            variables?: {
                [key: string]: string | number | boolean | null;
            };
        };
        EnrollmentResult: {
            enrolled: number;
            already_enrolled: number;
            not_found: string[];
        };
        EnrollmentReason: {
            /** @enum {string} */
            code: "missing_values" | "not_in_audience";
            /** @description The variables of the instructions without a value. */
            holes: string[];
        };
        Enrollment: {
            campaign_id: string;
            campaign_name: string;
            /** @enum {string} */
            campaign_status: "draft" | "active" | "paused" | "finished";
            contact_id: string;
            /** @description The display name, or else the first and last name. */
            contact_name: string | null;
            contact_phone_number: string;
            /**
             * @description `blocked`: a value is missing. `skipped`: no longer in the audience. See `reason`.
             * @enum {string}
             */
            status: "pending" | "in_progress" | "completed" | "failed" | "blocked" | "skipped";
            /** @description Why the contact is blocked or skipped; `null` otherwise. */
            reason: components["schemas"]["EnrollmentReason"] | null;
            /** @description How many times the contact was claimed. */
            attempts: number;
            /** @description The last reported outcome. */
            outcome: string | null;
            /**
             * Format: date-time
             * @description When a pending contact is due again; `null` if it is due now.
             */
            retry_at: string | null;
            /**
             * Format: date-time
             * @description When the lease of the current claim expires; `null` without a lease.
             */
            lease_expires_at: string | null;
            /**
             * Format: date-time
             * @description When the contact was last claimed; `null` before the first time.
             */
            last_attempt_at: string | null;
            variables: {
                [key: string]: string | number | boolean;
            };
            /**
             * Format: date-time
             * @description When the contact was enrolled.
             */
            enrolled_at: string;
            /**
             * Format: date-time
             * @description When the enrollment was last changed.
             */
            updated_at: string;
        };
        EnrollmentUpdate: {
            /**
             * @description `pending` returns the contact to the queue. Every status but `in_progress` ends the lease.
             * @enum {string}
             */
            status?: "pending" | "in_progress" | "completed" | "failed";
            /**
             * @description Instead of `status`: how the call ended. The campaign's retry rule for it decides the status and the retry time; without one the request gets 400.
             * @example booked
             */
            disposition?: string;
            /** @description How the attempt went, in your own words or codes; `null` clears it. With `disposition` by default that. */
            outcome?: string | null;
            /**
             * Format: date-time
             * @description With status `pending`: when the contact is due again. By default immediately.
             */
            retry_at?: string;
            /** @description The claim that you report on. If it is no longer the current one, the request gets 409 and changes nothing. */
            claim_id?: string;
            /** @description With `claim_id`: extends the lease; it expires in this many seconds. */
            lease_seconds?: number;
            /** @description Changes these variables and keeps the others; `null` removes one. A blocked contact that has all missing values then returns to the queue within seconds. */
            variables?: {
                [key: string]: string | number | boolean | null;
            };
        };
        ImpactVersion: {
            id: string;
            version_label: string;
            deployment_status: string;
            created_at: string;
        };
        ImpactDeployed: {
            id: string;
            version_label: string;
        };
        ImpactChannel: {
            id: string;
            /** @enum {string} */
            kind: "phone" | "sms" | "whatsapp" | "web_chat";
            name: string;
            address: string;
        };
        ImpactCampaign: {
            id: string;
            name: string;
        };
        Difference: {
            /** @description Number of added lines. */
            added: number;
            /** @description Number of removed lines. */
            removed: number;
            /** @description The changed regions, each with up to three unchanged lines around it. Lines count from 1. */
            hunks: components["schemas"]["DiffHunk"][];
            /** @description The same as a unified diff; empty if the texts are equal. */
            unified: string;
            config: components["schemas"]["ConfigDiff"];
        };
        ImpactVariable: {
            name: string;
            contacts_without_value: number;
        };
        UnknownVariable: {
            /** @description As written in the instructions. */
            placeholder: string;
            /** @description The variable that was probably meant. */
            suggestion: string | null;
        };
        DeployImpact: {
            version: components["schemas"]["ImpactVersion"];
            deployed_version: components["schemas"]["ImpactDeployed"] | null;
            channels: components["schemas"]["ImpactChannel"][];
            campaigns: components["schemas"]["ImpactCampaign"][];
            enrolled_contacts: number;
            difference: components["schemas"]["Difference"];
            /** @description The contacts that are not done and have neither a value nor a fallback; at least so many unless `is_complete`. */
            variables: components["schemas"]["ImpactVariable"][];
            /** @description Whether all enrolled contacts were checked for values. */
            is_complete: boolean;
            unknown_variables: components["schemas"]["UnknownVariable"][];
        };
        CampaignScheduleUpdate: {
            /**
             * Format: date-time
             * @description When the campaign becomes active automatically. `null` or omitted: never.
             */
            starts_at?: string | null;
            /**
             * Format: date-time
             * @description When it becomes finished automatically. `null` or omitted: never.
             */
            ends_at?: string | null;
            call_window?: components["schemas"]["CallWindow"] | null;
            /** @description How many times a contact is handed out. `null` or omitted: no limit. */
            max_attempts?: number | null;
            /** @description The minimum time between two attempts at a contact, in minutes. `null` or omitted: none. */
            min_retry_minutes?: number | null;
            /** @description What a report with a `disposition` does, each disposition once. Omitted: no rules. `min_retry_minutes` and `max_attempts` still apply. */
            retry_rules?: components["schemas"]["RetryRule"][];
            /** @description Set by the service. Ignored in a request. */
            readonly campaign_id?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly start_status?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly time_zone?: unknown;
        };
        ClaimCreate: {
            /**
             * @description At most this many contacts.
             * @default 1
             */
            limit?: number;
            /**
             * @description How long the contacts are reserved for you.
             * @default 300
             */
            lease_seconds?: number;
            /**
             * @description Whether each claim has the instructions with the values of its contact. A contact without a needed value is blocked instead of handed out.
             * @default false
             */
            render?: boolean;
        };
        ClaimedCampaign: {
            id: string;
            /**
             * @description Only an active campaign hands out contacts.
             * @enum {string}
             */
            status: "draft" | "active" | "paused" | "finished";
        };
        ClaimAgent: {
            id: string;
            name: string;
        };
        ClaimVersion: {
            id: string;
            version_label: string;
            instructions: string;
        };
        Claim: {
            /** @description Identifies this claim when you report on it. */
            claim_id: string;
            /**
             * Format: date-time
             * @description When the contact is due again, unless you report or extend the lease.
             */
            lease_expires_at: string;
            /** @description How many times the contact was claimed, including this one. */
            attempt: number;
            contact: components["schemas"]["ContactWithCrmIds"];
            version?: components["schemas"]["RenderedVersion"];
            /** @description With `render`: the instructions for this contact. */
            instructions?: string;
            /** @description With `render`: the hash of `instructions`, in hexadecimal digits. Send it with the call. */
            sha256?: string;
        };
        ClaimedContacts: {
            campaign: components["schemas"]["ClaimedCampaign"];
            agent: components["schemas"]["ClaimAgent"];
            /** @description The agent's deployed version; `null` if no contact was claimed. */
            version: components["schemas"]["ClaimVersion"] | null;
            claims: components["schemas"]["Claim"][];
            /** @description Only with `render`: the config of the version, as it was sent; `null` if no contact was claimed. */
            config?: {
                [key: string]: unknown;
            } | null;
        };
        ImportColumn: {
            name: string;
            /** @description The first cells that are not empty. Not included in the list of imports. */
            samples: string[];
            field: string | null;
            /** @description What determined the field; `hand` is a choice of the user, also to ignore the column. */
            certainty: ("name" | "content" | "hand") | null;
            /** @description The contact field that applying the import creates. */
            creates: components["schemas"]["FieldCreate"] | null;
            /** @description The contact field that could be created from the column, with the type of its first cells. Send it in `create_fields`. */
            suggestion: components["schemas"]["FieldCreate"] | null;
        };
        ImportPreviewLine: {
            line: number;
            cells: string[];
        };
        ImportBeginning: {
            /** @enum {string} */
            encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "windows-1250" | "windows-1251" | "windows-1253" | "windows-1254" | "windows-1255" | "windows-1256" | "windows-1257" | "windows-1258" | "windows-874" | "iso-8859-2" | "iso-8859-5" | "koi8-r" | "koi8-u" | "ibm866" | "macintosh" | "shift_jis" | "euc-jp" | "gb18030" | "big5" | "euc-kr";
            /**
             * @description `guessed` if another encoding fits nearly as well.
             * @enum {string}
             */
            encoding_source: "detected" | "guessed" | "chosen";
            /** @enum {string} */
            delimiter: "," | ";" | "\t" | "|";
            header_row: number | null;
            sheet: string | null;
            /** @description All sheets of an Excel workbook. */
            sheets: string[];
            columns: components["schemas"]["ImportColumn"][];
            /** @description The first lines of the file. */
            preview: components["schemas"]["ImportPreviewLine"][];
        };
        /**
         * @description ISO country code, for example US.
         * @example US
         */
        Country: string;
        ImportOptions: {
            country: components["schemas"]["Country"] | null;
            /** @description Whether numbers without an international form are stored as they are written. Default: no. */
            legacy: boolean;
            /**
             * @description Whether a row skips an existing contact, fills its empty fields (default), or overwrites its fields.
             * @enum {string}
             */
            on_existing: "skip" | "fill" | "overwrite";
            /**
             * @description Whether the tags of a row are added to those of an existing contact (default), or replace them.
             * @enum {string}
             */
            tags: "merge" | "replace";
            /**
             * @description Whether an invalid optional cell is left out with a warning (default), or its row is rejected.
             * @enum {string}
             */
            on_invalid: "omit_field" | "reject_row";
            /**
             * @description As `on_invalid`, for email addresses only.
             * @enum {string|null}
             */
            on_invalid_email: "omit_field" | "reject_row" | null;
            /**
             * @description Of several rows with one number: imports the first (default), the last, or the first with the values that only later rows have.
             * @enum {string}
             */
            on_duplicate: "first" | "last" | "fill";
            /**
             * @description The name of the CRM whose ids are in the column that is mapped to `crm_ids`.
             * @example hubspot
             */
            crm: string | null;
            /** @description The campaign in which applying the import enrolls the contacts of its rows, each once, with the columns that are mapped to `variables.<name>`. Also requires the scope `campaigns:write`, and to apply it `contacts:read`. */
            campaign_id: string | null;
        };
        ImportFile: {
            /** @enum {string} */
            encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "windows-1250" | "windows-1251" | "windows-1253" | "windows-1254" | "windows-1255" | "windows-1256" | "windows-1257" | "windows-1258" | "windows-874" | "iso-8859-2" | "iso-8859-5" | "koi8-r" | "koi8-u" | "ibm866" | "macintosh" | "shift_jis" | "euc-jp" | "gb18030" | "big5" | "euc-kr";
            /**
             * @description `guessed` if another encoding fits nearly as well.
             * @enum {string}
             */
            encoding_source: "detected" | "guessed" | "chosen";
            /** @enum {string} */
            delimiter: "," | ";" | "\t" | "|";
            header_row: number | null;
            sheet: string | null;
        };
        Import: {
            id: string;
            name: string;
            /** @enum {string} */
            state: "planning" | "planned" | "applying" | "applied" | "undoing" | "undone" | "deleting";
            options: components["schemas"]["ImportOptions"];
            columns: components["schemas"]["ImportColumn"][];
            /** @description `null` for imports that are older than this field. */
            file: components["schemas"]["ImportFile"] | null;
            /** @description Row counts by verdict or, once applied, by effect, and `with_warnings`; `enrolled` contacts and, after an undo, `unenrolled` and `still_enrolled` ones. */
            totals: {
                [key: string]: number;
            };
            /** @description How many rows are processed. */
            progress: number;
            rows: number;
            created_by: string;
            created_by_email: string | null;
            /**
             * Format: date-time
             * @description When the file was uploaded.
             */
            created_at: string;
            applied_at: string | null;
            undo_until: string | null;
        };
        ReplanImportRequest: {
            country?: components["schemas"]["Country"] | null;
            /** @description Whether numbers without an international form are stored as they are written. Default: no. */
            legacy?: boolean;
            /**
             * @description Whether a row skips an existing contact, fills its empty fields (default), or overwrites its fields.
             * @enum {string}
             */
            on_existing?: "skip" | "fill" | "overwrite";
            /**
             * @description Whether the tags of a row are added to those of an existing contact (default), or replace them.
             * @enum {string}
             */
            tags?: "merge" | "replace";
            /**
             * @description Whether an invalid optional cell is left out with a warning (default), or its row is rejected.
             * @enum {string}
             */
            on_invalid?: "omit_field" | "reject_row";
            /**
             * @description As `on_invalid`, for email addresses only.
             * @enum {string|null}
             */
            on_invalid_email?: "omit_field" | "reject_row" | null;
            /**
             * @description Of several rows with one number: imports the first (default), the last, or the first with the values that only later rows have.
             * @enum {string}
             */
            on_duplicate?: "first" | "last" | "fill";
            /**
             * @description The name of the CRM whose ids are in the column that is mapped to `crm_ids`.
             * @example hubspot
             */
            crm?: string | null;
            /** @description The campaign in which applying the import enrolls the contacts of its rows, each once, with the columns that are mapped to `variables.<name>`. Also requires the scope `campaigns:write`, and to apply it `contacts:read`. */
            campaign_id?: string | null;
            mapping?: {
                [key: string]: string | null;
            };
            /** @description Contact fields to create from columns, by zero-based index or name, when the import is applied. Requires the scope `admin`, or an owner. */
            create_fields?: {
                [key: string]: components["schemas"]["FieldCreate"];
            };
            /** @description A line below the current header row that becomes the header row. The rows up to it are removed, and the columns are matched again. */
            header_row?: number;
        };
        ImportWarning: {
            field: string;
            message: string;
        };
        ImportChange: {
            field: string;
            before: string | null;
            after: string | null;
            /** @description Tags that the row adds. */
            added: string[];
            /** @description Tags that the row removes. */
            removed: string[];
        };
        ImportRow: {
            number: number;
            line: number;
            /** @description Long cells end with `…`. The last cells of a very long row are omitted. */
            cells: string[] | null;
            /** @enum {string} */
            verdict: "create" | "update" | "unchanged" | "duplicate_in_file" | "invalid";
            field: string | null;
            reason: string | null;
            /** @description Cells that are not imported, and why. */
            warnings: components["schemas"]["ImportWarning"][];
            effect: ("created" | "updated" | "none" | "removed" | "restored" | "edited_since") | null;
            contact_id: string | null;
            normalized_phone?: string | null;
            /** @description What the row changes in an existing contact; only with `include=changes`. */
            changes?: components["schemas"]["ImportChange"][];
        };
        ImportHeaderRow: {
            line: number;
            names: string[];
        };
        ImportReason: {
            /** @enum {string} */
            reason: "country_missing" | "country_mismatch" | "country_ambiguous" | "phone_too_short" | "digits_lost" | "phone_missing" | "phone_invalid" | "email_invalid" | "tags_invalid" | "value_invalid" | "crm_id_invalid" | "crm_id_conflict" | "duplicate_in_file";
            /** @description The number of rows. */
            count: number;
            /** @description Whether the rows are skipped, not imported without the invalid cell. */
            rejected: boolean;
            field: string | null;
            /** @description The line of the first such row. */
            line: number;
            /** @description The reason of the first such row. */
            message: string;
        };
        ImportReasons: {
            /** @description A row that looks like the header row, if it is not read as such. */
            header_row: components["schemas"]["ImportHeaderRow"] | null;
            /** @description The most frequent reason first. A row with several problems counts for its first one. */
            reasons: components["schemas"]["ImportReason"][];
        };
        ImportUndo: {
            /** @description Created contacts that would be deleted. */
            removed: number;
            /** @description Updated contacts that would get their previous values back. */
            restored: number;
            /** @description Contacts that would stay as they are, because only the caller changed them. */
            edited_by_you: number;
            /** @description The same, changed by others. */
            edited_by_others: number;
            /** @description Contacts that the import created and that would stay as they are, because their enrollments would stay. */
            claimed: number;
            /** @description Contacts that were deleted since. */
            deleted: number;
            /** @description Enrollments of this import that would be removed. */
            unenrolled: number;
            /** @description Enrollments of this import that would stay, because someone has claimed or changed them. Contacts that the import created stay with them. */
            still_enrolled: number;
        };
        Integration: {
            id: string;
            name: string;
            old_secret_expires_at: string | null;
            /**
             * Format: date-time
             * @description When the integration was created.
             */
            created_at: string;
        };
        IntegrationUpdate: {
            name: string;
        };
        IntegrationCreate: {
            name: string;
        };
        CreatedIntegration: {
            id: string;
            name: string;
            old_secret_expires_at: string | null;
            /**
             * Format: date-time
             * @description When the integration was created.
             */
            created_at: string;
            /** @description Shown only once. */
            secret: string;
        };
        RotateIntegrationSecretRequest: {
            grace_hours?: number;
            /** @description While an old secret is still accepted, replaces the new secret, for example because it was lost. The old one remains accepted. */
            replace_new?: boolean;
        };
        Key: {
            id: string;
            name: string;
            /**
             * @description `custom` if the key was created with a list of scopes.
             * @enum {string}
             */
            scope: "read" | "read_write" | "custom";
            /** @description What the key may do. */
            scopes: ("contacts:read" | "contacts:write" | "agents:read" | "agents:write" | "agents:deploy" | "channels:read" | "channels:write" | "calls:read" | "campaigns:read" | "campaigns:write" | "imports:write" | "events:read" | "audit:read" | "admin" | "calls:write" | "contacts:merge")[];
            /**
             * Format: date-time
             * @description When the key was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the key expires.
             */
            expires_at: string | null;
            /** @description Requests per interval, such as `600/1m`; units are s, m and h. */
            rate_limit: string | null;
            /**
             * Format: date-time
             * @description When the key was revoked.
             */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description When the key was last used.
             */
            last_used_at: string | null;
        };
        KeyCreate: {
            name: string;
            /** @enum {string} */
            scope?: "read" | "read_write";
            /** @description Instead of `scope`. */
            scopes?: ("contacts:read" | "contacts:write" | "agents:read" | "agents:write" | "agents:deploy" | "channels:read" | "channels:write" | "calls:read" | "campaigns:read" | "campaigns:write" | "imports:write" | "events:read" | "audit:read" | "admin" | "calls:write" | "contacts:merge")[];
            /**
             * Format: date-time
             * @description A time with its time zone.
             */
            expires_at?: string | null;
            /** @description Requests per interval, such as `600/1m`; units are s, m and h. */
            rate_limit?: string | null;
        };
        CreatedKey: {
            id: string;
            name: string;
            /**
             * @description `custom` if the key was created with a list of scopes.
             * @enum {string}
             */
            scope: "read" | "read_write" | "custom";
            /** @description What the key may do. */
            scopes: ("contacts:read" | "contacts:write" | "agents:read" | "agents:write" | "agents:deploy" | "channels:read" | "channels:write" | "calls:read" | "campaigns:read" | "campaigns:write" | "imports:write" | "events:read" | "audit:read" | "admin" | "calls:write" | "contacts:merge")[];
            /**
             * Format: date-time
             * @description When the key was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the key expires.
             */
            expires_at: string | null;
            /** @description Requests per interval, such as `600/1m`; units are s, m and h. */
            rate_limit: string | null;
            /**
             * Format: date-time
             * @description When the key was revoked.
             */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description When the key was last used.
             */
            last_used_at: string | null;
            /** @description The key itself. It is returned only here. */
            key: string;
        };
        User: {
            /** @description The id of the user. */
            id: string;
            email: string;
            /** @enum {string} */
            role: "owner" | "member";
            /**
             * Format: date-time
             * @description When the user was added.
             */
            created_at: string;
        };
        UserInvite: {
            email: string;
            /** @enum {string} */
            role?: "owner" | "member";
        };
        SignInLink: {
            /** @description Path of the link, relative to the dashboard's origin. It is returned only here and works once. */
            url_path: string;
            /**
             * Format: date-time
             * @description When the link expires.
             */
            expires_at: string;
        };
        CreatedUser: {
            /** @description The id of the user. */
            id: string;
            email: string;
            /** @enum {string} */
            role: "owner" | "member";
            /**
             * Format: date-time
             * @description When the user was added.
             */
            created_at: string;
            /** @description `null` if a password was given. */
            link: components["schemas"]["SignInLink"] | null;
        };
        UserUpdate: {
            /** @enum {string} */
            role: "owner" | "member";
        };
        Settings: {
            name: string;
            /** @description Default country for phone numbers without a country code. */
            default_country: string | null;
            /** @description The IANA time zone of the days and schedules of the workspace. `UTC` until an owner chooses one. */
            time_zone: string;
            /** @description Whether an owner has chosen the time zone. */
            time_zone_chosen: boolean;
        };
        /**
         * @description Name of an IANA time zone, for example Europe/Berlin.
         * @example Europe/Berlin
         */
        TimeZone: string;
        SettingsUpdate: {
            default_country?: components["schemas"]["Country"] | null;
            time_zone?: components["schemas"]["TimeZone"];
        };
        AuditActor: {
            /** @enum {string} */
            kind: "key" | "user" | "channel" | "integration" | "webhook" | "environment" | "command line" | "start" | "schedule" | "audience" | "unknown";
            /** @description The id of a key, user, channel, integration or webhook. */
            id: string | null;
            /** @description The current name; `null` if it was deleted, has no name, or the key may not see it. */
            name: string | null;
            /** @description Whether it was deleted. */
            deleted: boolean;
        };
        AuditedRecord: {
            id: string;
            /** @description The current name; `null` if it was deleted, has no name, or the key may not see it. */
            name: string | null;
            /** @description Whether it was deleted. */
            deleted: boolean;
        };
        AuditEntry: {
            /**
             * Format: date-time
             * @description When the change was made. Entries are listed in the order of the changes, even if the clock was set back.
             */
            at: string;
            actor: components["schemas"]["AuditActor"];
            /** @enum {string} */
            action: "contact.created" | "contact.updated" | "contact.deleted" | "contact.merged" | "contact.unmerged" | "agent.created" | "agent.updated" | "agent.deployed" | "agent.deleted" | "version.created" | "channel.created" | "channel.updated" | "channel.deleted" | "call.recorded" | "call.updated" | "campaign.created" | "campaign.updated" | "campaign.deleted" | "enrollment.created" | "enrollment.updated" | "enrollment.deleted" | "import.created" | "import.updated" | "import.deleted" | "webhook.disabled" | "webhook.test" | "contact.exported" | "channel.connected" | "channel.disconnected" | "channel.secret_rotated" | "channel.old_secret_revoked" | "enrollment.claimed" | "import.applied" | "import.undone" | "integration.created" | "integration.updated" | "integration.secret_rotated" | "integration.old_secret_revoked" | "integration.deleted" | "webhook.created" | "webhook.updated" | "webhook.secret_rotated" | "webhook.old_secret_revoked" | "webhook.replayed" | "webhook.replay_canceled" | "webhook.deleted" | "field.created" | "field.updated" | "field.deleted" | "segment.created" | "segment.updated" | "segment.deleted" | "view.created" | "view.updated" | "view.deleted" | "bulk_job.canceled" | "bulk_job.undone" | "duplicate.dismissed" | "duplicate.restored" | "key.created" | "key.revoked" | "user.created" | "user.updated" | "user.deleted" | "link.created" | "session.created" | "session.deleted" | "session.refused" | "settings.updated" | "workspace.created";
            /** @description The changed record; `null` for several records or the workspace itself. */
            subject: components["schemas"]["AuditedRecord"] | null;
            /** @description The agent of a version, or the campaign of an enrollment. */
            parent: components["schemas"]["AuditedRecord"] | null;
            /** @description The names of the changed fields. */
            fields: string[] | null;
            /** @description The values of settings. Never secrets and what is stored about contacts. `null` if none were recorded, or the key may not see the name of the record. */
            changes: components["schemas"]["ChangedValues"] | null;
            /** @description The number of records, if there were several. */
            counts: {
                [key: string]: number;
            } | null;
            /** @description The id of the request; `null` for the command line and the start of the service. */
            request_id: string | null;
            /**
             * @description `mcp` for a change through the MCP server.
             * @enum {string|null}
             */
            via: "mcp" | null;
        };
        Event: {
            /**
             * @description Ids of a workspace sort in the order of the log. A repeated delivery has the same id.
             * @example event_000000003k7q2v9xw4m8t1c6bz
             */
            id: string;
            /** @enum {string} */
            type: "contact.created" | "contact.updated" | "contact.deleted" | "contact.merged" | "contact.unmerged" | "agent.created" | "agent.updated" | "agent.deployed" | "agent.deleted" | "version.created" | "channel.created" | "channel.updated" | "channel.deleted" | "call.recorded" | "call.updated" | "campaign.created" | "campaign.updated" | "campaign.deleted" | "enrollment.created" | "enrollment.updated" | "enrollment.deleted" | "import.created" | "import.updated" | "import.deleted" | "webhook.disabled" | "webhook.test";
            /**
             * Format: date-time
             * @description When the change was made.
             */
            timestamp: string;
            workspace_id: number;
            /** @description The changed record; the contact for an enrollment. */
            subject_id: string;
            /** @description The contact that the change is about. */
            contact_id: string | null;
            /** @description The agent that the change is about. */
            agent_id: string | null;
            /** @description The campaign that the change is about. */
            campaign_id: string | null;
            /** @description The id of the API key, user, channel, integration or import that made the change. */
            actor: string;
            /** @description The id of the request; `null` for background work and the command line. */
            request_id: string | null;
            /** @description The names of the changed fields of an update. */
            changed: string[] | null;
            /** @description The record after the change, as the API shows it. `null` after a delete, in the thin form, and if the contact was deleted since. */
            data: {
                [key: string]: unknown;
            } | null;
        };
        EventPage: {
            events: components["schemas"]["Event"][];
            /** @description Send it as `after` to get the next events; `null` if there are no events yet. */
            after: string | null;
            /** @description Whether more events are available now. */
            has_more: boolean;
        };
        WebhookReplayProgress: {
            /** @description How many events of the log remain to be examined. */
            remaining: number;
        };
        Webhook: {
            id: string;
            /**
             * @description Where the events are sent. It must be an https URL with a public address.
             * @example https://example.com/webhooks
             */
            url: string;
            description: string | null;
            /** @description The types of the events to send; `null` for all. */
            types: ("contact.created" | "contact.updated" | "contact.deleted" | "contact.merged" | "contact.unmerged" | "agent.created" | "agent.updated" | "agent.deployed" | "agent.deleted" | "version.created" | "channel.created" | "channel.updated" | "channel.deleted" | "call.recorded" | "call.updated" | "campaign.created" | "campaign.updated" | "campaign.deleted" | "enrollment.created" | "enrollment.updated" | "enrollment.deleted" | "import.created" | "import.updated" | "import.deleted" | "webhook.disabled")[] | null;
            /** @description Only events of contacts with this tag, changes of the tags of a contact, and deletes of contacts. */
            tag: string | null;
            /**
             * Format: uuid
             * @description Only events that are about this agent.
             */
            agent_id: string | null;
            /** @description Only events that are about this campaign. */
            campaign_id: string | null;
            /**
             * @description `thin` leaves out the snapshot of the record in `data`.
             * @enum {string}
             */
            payload: "snapshot" | "thin";
            /** @description `["fields"]` adds the contact's values of fields, as they are when the event is sent, to `data` of its events; this requires `contacts:read`. Default: none. */
            include: "fields"[];
            /** @description Whether an event is sent only after all earlier events of the same record were delivered or have finally failed. */
            ordered: boolean;
            /** @description The number of requests at the same time, from each instance of the service. Default: 10. */
            max_concurrency: number;
            /** @description The number of requests per second; `null` for no limit. */
            rate_per_second: number | null;
            /**
             * @description `paused` keeps the events until it is `active` again. Only the service sets `disabled`.
             * @enum {string}
             */
            status: "active" | "paused" | "disabled";
            /** @description Why the service disabled the endpoint. */
            disabled_reason: string | null;
            old_secret_expires_at: string | null;
            /**
             * Format: date-time
             * @description When the endpoint was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the endpoint was last changed.
             */
            updated_at: string;
            failing_since: string | null;
            last_delivery_at: string | null;
            /** @description Events that are being sent or wait for a retry. */
            pending_deliveries: number;
            /** @description Events whose last attempt has failed. At most 1,000 are counted. */
            failed_deliveries: number;
            replay: components["schemas"]["WebhookReplayProgress"] | null;
        };
        WebhookUpdate: {
            /**
             * @description Where the events are sent. It must be an https URL with a public address.
             * @example https://example.com/webhooks
             */
            url?: string;
            description?: string | null;
            /** @description The types of the events to send; `null` for all. */
            types?: ("contact.created" | "contact.updated" | "contact.deleted" | "contact.merged" | "contact.unmerged" | "agent.created" | "agent.updated" | "agent.deployed" | "agent.deleted" | "version.created" | "channel.created" | "channel.updated" | "channel.deleted" | "call.recorded" | "call.updated" | "campaign.created" | "campaign.updated" | "campaign.deleted" | "enrollment.created" | "enrollment.updated" | "enrollment.deleted" | "import.created" | "import.updated" | "import.deleted" | "webhook.disabled")[] | null;
            /** @description Only events of contacts with this tag, changes of the tags of a contact, and deletes of contacts. */
            tag?: string | null;
            /**
             * Format: uuid
             * @description Only events that are about this agent.
             */
            agent_id?: string | null;
            /** @description Only events that are about this campaign. */
            campaign_id?: string | null;
            /**
             * @description `thin` leaves out the snapshot of the record in `data`.
             * @enum {string}
             */
            payload?: "snapshot" | "thin";
            /** @description `["fields"]` adds the contact's values of fields, as they are when the event is sent, to `data` of its events; this requires `contacts:read`. Default: none. */
            include?: "fields"[];
            /** @description Whether an event is sent only after all earlier events of the same record were delivered or have finally failed. */
            ordered?: boolean;
            /** @description The number of requests at the same time, from each instance of the service. Default: 10. */
            max_concurrency?: number;
            /** @description The number of requests per second; `null` for no limit. */
            rate_per_second?: number | null;
            /**
             * @description `paused` keeps the events until it is `active` again. Only the service sets `disabled`.
             * @enum {string}
             */
            status?: "active" | "paused" | "disabled";
            /** @description Set by the service. Ignored in a request. */
            readonly id?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly disabled_reason?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly old_secret_expires_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly created_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly updated_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly failing_since?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly last_delivery_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly pending_deliveries?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly failed_deliveries?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly replay?: unknown;
        };
        WebhookCreate: {
            /**
             * @description Where the events are sent. It must be an https URL with a public address.
             * @example https://example.com/webhooks
             */
            url: string;
            description?: string | null;
            /** @description The types of the events to send; `null` for all. */
            types?: ("contact.created" | "contact.updated" | "contact.deleted" | "contact.merged" | "contact.unmerged" | "agent.created" | "agent.updated" | "agent.deployed" | "agent.deleted" | "version.created" | "channel.created" | "channel.updated" | "channel.deleted" | "call.recorded" | "call.updated" | "campaign.created" | "campaign.updated" | "campaign.deleted" | "enrollment.created" | "enrollment.updated" | "enrollment.deleted" | "import.created" | "import.updated" | "import.deleted" | "webhook.disabled")[] | null;
            /** @description Only events of contacts with this tag, changes of the tags of a contact, and deletes of contacts. */
            tag?: string | null;
            /**
             * Format: uuid
             * @description Only events that are about this agent.
             */
            agent_id?: string | null;
            /** @description Only events that are about this campaign. */
            campaign_id?: string | null;
            /**
             * @description `thin` leaves out the snapshot of the record in `data`.
             * @enum {string}
             */
            payload?: "snapshot" | "thin";
            /** @description `["fields"]` adds the contact's values of fields, as they are when the event is sent, to `data` of its events; this requires `contacts:read`. Default: none. */
            include?: "fields"[];
            /** @description Whether an event is sent only after all earlier events of the same record were delivered or have finally failed. */
            ordered?: boolean;
            /** @description The number of requests at the same time, from each instance of the service. Default: 10. */
            max_concurrency?: number;
            /** @description The number of requests per second; `null` for no limit. */
            rate_per_second?: number | null;
            /**
             * @description `paused` keeps the events until it is `active` again. Only the service sets `disabled`.
             * @enum {string}
             */
            status?: "active" | "paused" | "disabled";
            /** @description Set by the service. Ignored in a request. */
            readonly id?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly disabled_reason?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly old_secret_expires_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly created_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly updated_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly failing_since?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly last_delivery_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly pending_deliveries?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly failed_deliveries?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly replay?: unknown;
        };
        CreatedWebhook: {
            id: string;
            /**
             * @description Where the events are sent. It must be an https URL with a public address.
             * @example https://example.com/webhooks
             */
            url: string;
            description: string | null;
            /** @description The types of the events to send; `null` for all. */
            types: ("contact.created" | "contact.updated" | "contact.deleted" | "contact.merged" | "contact.unmerged" | "agent.created" | "agent.updated" | "agent.deployed" | "agent.deleted" | "version.created" | "channel.created" | "channel.updated" | "channel.deleted" | "call.recorded" | "call.updated" | "campaign.created" | "campaign.updated" | "campaign.deleted" | "enrollment.created" | "enrollment.updated" | "enrollment.deleted" | "import.created" | "import.updated" | "import.deleted" | "webhook.disabled")[] | null;
            /** @description Only events of contacts with this tag, changes of the tags of a contact, and deletes of contacts. */
            tag: string | null;
            /**
             * Format: uuid
             * @description Only events that are about this agent.
             */
            agent_id: string | null;
            /** @description Only events that are about this campaign. */
            campaign_id: string | null;
            /**
             * @description `thin` leaves out the snapshot of the record in `data`.
             * @enum {string}
             */
            payload: "snapshot" | "thin";
            /** @description `["fields"]` adds the contact's values of fields, as they are when the event is sent, to `data` of its events; this requires `contacts:read`. Default: none. */
            include: "fields"[];
            /** @description Whether an event is sent only after all earlier events of the same record were delivered or have finally failed. */
            ordered: boolean;
            /** @description The number of requests at the same time, from each instance of the service. Default: 10. */
            max_concurrency: number;
            /** @description The number of requests per second; `null` for no limit. */
            rate_per_second: number | null;
            /**
             * @description `paused` keeps the events until it is `active` again. Only the service sets `disabled`.
             * @enum {string}
             */
            status: "active" | "paused" | "disabled";
            /** @description Why the service disabled the endpoint. */
            disabled_reason: string | null;
            old_secret_expires_at: string | null;
            /**
             * Format: date-time
             * @description When the endpoint was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the endpoint was last changed.
             */
            updated_at: string;
            failing_since: string | null;
            last_delivery_at: string | null;
            /** @description Events that are being sent or wait for a retry. */
            pending_deliveries: number;
            /** @description Events whose last attempt has failed. At most 1,000 are counted. */
            failed_deliveries: number;
            replay: components["schemas"]["WebhookReplayProgress"] | null;
            /** @description Signs the events. Shown only once. */
            secret: string;
        };
        RotateWebhookSecretRequest: {
            grace_hours?: number;
            /** @description While an old secret is still accepted, replaces the new secret, for example because it was lost. The old one remains accepted. */
            replace_new?: boolean;
        };
        WebhookAttempt: {
            /** @description Identifies the attempt. A later attempt has a higher number. */
            number: number;
            event_id: string;
            event_type: string;
            /** @description 1 for the first attempt to deliver the event. */
            attempt: number;
            /**
             * Format: date-time
             * @description When the request was sent.
             */
            at: string;
            duration_ms: number;
            /** @enum {string} */
            result: "delivered" | "failed" | "gone";
            /** @description The status of the response, if there was one. */
            status: number | null;
            /** @description Why the attempt has failed. */
            error: string | null;
        };
        WebhookAttemptPage: {
            attempts: components["schemas"]["WebhookAttempt"][];
            /** @description Whether there are earlier attempts. */
            has_more: boolean;
        };
        WebhookAttemptRequest: {
            headers: {
                [key: string]: string;
            };
            /** @description Made from the event again, so it has no data of a contact that was deleted since. `null` if the event has expired. */
            body: string | null;
        };
        WebhookAttemptResponse: {
            status: number;
            /** @description The first KB. */
            body: string;
        };
        WebhookAttemptDetails: {
            /** @description Identifies the attempt. A later attempt has a higher number. */
            number: number;
            event_id: string;
            event_type: string;
            /** @description 1 for the first attempt to deliver the event. */
            attempt: number;
            /**
             * Format: date-time
             * @description When the request was sent.
             */
            at: string;
            duration_ms: number;
            /** @enum {string} */
            result: "delivered" | "failed" | "gone";
            /** @description The status of the response, if there was one. */
            status: number | null;
            /** @description Why the attempt has failed. */
            error: string | null;
            request: components["schemas"]["WebhookAttemptRequest"];
            response: components["schemas"]["WebhookAttemptResponse"] | null;
        };
        WebhookReplayOfEvent: {
            /** @description Sends this event again, even if the types or filters of the endpoint exclude it. */
            event_id: string;
        };
        WebhookReplayOfRange: {
            /**
             * Format: date-time
             * @description Sends all events from this time on, included, again.
             */
            since: string;
            /**
             * Format: date-time
             * @description The end of the range, included. Default: now.
             */
            until?: string;
        };
        WebhookReplayOfFailed: {
            /**
             * @description Sends all events again whose last attempt has failed.
             * @constant
             */
            failed: true;
        };
        WebhookReplayCreate: components["schemas"]["WebhookReplayOfEvent"] | components["schemas"]["WebhookReplayOfRange"] | components["schemas"]["WebhookReplayOfFailed"];
        WebhookReplay: {
            /** @description How many events are sent again. For a range of time, those that the filters exclude are included. */
            events: number;
        };
        ChannelAgentFull: {
            agent_id: string;
            version_id: string;
            version_label: string;
            /** @description As they are written, with placeholders. */
            instructions: string;
            /** @description The SHA-256 of the canonical form (RFC 8785) of `config`, in hexadecimal digits. */
            config_sha256: string;
            /** @description As it was sent, byte for byte; `{}` if there is none. */
            config: {
                [key: string]: unknown;
            };
            /** @description Only with `number`: the contact, with its fields; `null` if the number is no contact. */
            contact?: components["schemas"]["ContactWithCrmIds"] | null;
            /** @description Only with `number`: the instructions with the values of the contact. */
            rendered?: string;
            /** @description The SHA-256 of the text in UTF-8, in hexadecimal digits. */
            sha256?: string;
            /** @description Known names without a value and without a fallback. They are empty in the text. */
            holes?: string[];
        };
        /** @description Who the other party is, for a person whose number is unknown. With a number, its contact gets this identity. */
        UserIdentity: {
            /** @enum {string} */
            kind: "whatsapp_user" | "email_address" | "external";
            /**
             * @description By kind: a number in E.164, an opaque business-scoped user id of WhatsApp (at most 128 characters), an email address, which is stored in lower case, or any id of another system.
             * @example +14155550101
             */
            value: string;
        };
        CallCost: {
            amount: number;
            /** @example USD */
            currency: string;
        };
        CallEvent: {
            /** @enum {string} */
            type: "call" | "message";
            provider_id: string;
            /** @enum {string} */
            direction: "inbound" | "outbound";
            /** @description The other party's number. Required without `user`. */
            number?: string;
            user?: components["schemas"]["UserIdentity"];
            /** @enum {string} */
            status?: "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "canceled" | "failed";
            /**
             * Format: date-time
             * @description A time with its time zone.
             */
            started_at?: string;
            /**
             * Format: date-time
             * @description A time with its time zone.
             */
            ended_at?: string;
            seconds?: number;
            /** @description The SHA-256 of the rendered instructions that the runtime uses, as Roster returned it. */
            instructions_sha256?: string;
            /** @description The session of the call, as Roster returned it. */
            session_id?: string;
            /**
             * @description How the call ended, one of the dispositions of the call settings.
             * @example booked
             */
            disposition?: string;
            /** @description The goals that were reached (`true`) or missed (`false`), at most 20 for a call. */
            goals?: {
                [key: string]: boolean;
            };
            /** @description What the conversation found out, at most 16384 bytes as JSON for a call. */
            data?: {
                [key: string]: unknown;
            };
            summary?: string;
            /**
             * @description Who ended the conversation.
             * @enum {string}
             */
            ended_by?: "agent" | "caller" | "system";
            /**
             * @description Where the recording is. Roster only stores the address.
             * @example https://example.com/recordings/7
             */
            recording_url?: string;
            cost?: components["schemas"]["CallCost"];
            /** @description The text of a message, not of a call. */
            text?: string;
        };
        SkippedField: {
            field: string;
            message: string;
        };
        RecordedCall: {
            /** @description The id of the call. */
            id: string;
            /** @description `null` if the event has no usable number. */
            contact_id: string | null;
            /** @enum {string} */
            effect: "recorded" | "updated" | "none";
            /** @description Fields of the contact that a rule of the call settings could not write, and why; missing if there are none. */
            skipped_fields?: components["schemas"]["SkippedField"][];
        };
        SessionCreate: {
            /** @description The provider's id of the call, as in its events. */
            provider_id: string;
            /** @enum {string} */
            direction: "inbound" | "outbound";
            /**
             * @description The other party's number, in any format. If it is missing, `null`, empty or not a phone number, the session has no contact.
             * @example +14155550100
             */
            number?: string | null;
            user?: components["schemas"]["UserIdentity"];
            /** @description Values by name for the placeholders of the instructions; at most 8,192 bytes as JSON. */
            variables?: {
                [key: string]: string | number | boolean | null;
            };
        };
        SessionVersion: {
            id: string;
            version_label: string;
        };
        RecentCall: {
            id: string;
            /** @enum {string} */
            type: "call" | "message";
            /** @enum {string} */
            direction: "inbound" | "outbound";
            /** @enum {string} */
            status: "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "canceled" | "failed";
            /**
             * Format: date-time
             * @description When the call started.
             */
            started_at: string;
            seconds: number | null;
            disposition: string | null;
            summary: string | null;
        };
        Session: {
            /** @description Send it in the call's events. */
            session_id: string;
            /** @description The contact, with its fields; `null` for an unknown outbound number, and for one that is withheld or invalid. */
            contact: components["schemas"]["ContactWithCrmIds"] | null;
            agent_id: string;
            version: components["schemas"]["SessionVersion"];
            /** @description Rendered: with the values of the contact and of `variables`. */
            instructions: string;
            /** @description The SHA-256 of the text in UTF-8, in hexadecimal digits. */
            sha256: string;
            /** @description Known names without a value and without a fallback. They are empty in the text. */
            holes: string[];
            /** @description The version's configuration, as it was sent. */
            config: {
                [key: string]: unknown;
            };
            /** @description As they were sent, without those that are `null`. */
            variables: {
                [key: string]: string | number | boolean;
            };
            /** @description The contact's last three calls and messages, newest first. */
            recent: components["schemas"]["RecentCall"][];
            /** @description Whether the session was started without the database: it has no personal data and is not stored. */
            degraded: boolean;
        };
        WebhookContact: {
            /**
             * @description E.164: + and the country code, 7 to 15 digits in total. Unique in the workspace.
             * @example +14155550100
             */
            phone_number: string;
            /**
             * @description Given name.
             * @example Ada
             */
            first_name?: string | null;
            /**
             * @description Family name.
             * @example Lovelace
             */
            last_name?: string | null;
            /**
             * @description How the contact wants to be addressed.
             * @example Ada
             */
            display_name?: string | null;
            /**
             * @description An email address.
             * @example ada@example.com
             */
            email?: string | null;
            /**
             * @description The company that the contact works for.
             * @example Analytical Engines
             */
            company?: string | null;
            /**
             * @description Internal notes for the team.
             * @example Prefers calls in the morning.
             */
            notes?: string | null;
            /** @description Replaces all tags. Duplicates are removed; the order is preserved. At most 50 different entries. */
            tags?: string[];
            /** @description Values of the workspace's fields by key. Other fields stay as they are; `null` clears one. */
            fields?: {
                [key: string]: string | number | boolean | null;
            };
            crm_ids?: {
                [key: string]: string | null;
            };
            /** @description Set by the service. Ignored in a request. */
            readonly id?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly source?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly first_contact_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly last_contact_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly created_at?: unknown;
            /** @description Set by the service. Ignored in a request. */
            readonly updated_at?: unknown;
        };
        ReceivedContact: {
            /** @enum {string} */
            action: "created" | "updated";
            contact: components["schemas"]["ContactWithCrmIds"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listContacts: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description Number of records to skip. */
                offset?: number;
                /** @description Matches part of the phone number, a name or the email address. Ignores case and accents. */
                search?: string;
                /** @description Only contacts with exactly this tag. */
                tag?: string;
                /** @description Continues a list at the position in the `Link` header of the previous page. Empty: starts a list in the default order. */
                cursor?: string;
                /** @description The order of the list; `-` reverses it. Default: newest first. */
                sort?: "created_at" | "updated_at" | "last_contact_at" | "name" | "-created_at" | "-updated_at" | "-last_contact_at" | "-name" | "";
                /** @description Adds members to the contact, separated by commas: crm_ids, fields, identities. */
                include?: string;
                /** @description Only contacts that were created at this time or later. */
                created_since?: string;
                /** @description Only contacts that were created before this time. */
                created_before?: string;
                /** @description Only contacts that were updated at this time or later. */
                updated_since?: string;
                /** @description Only contacts whose last contact was at this time or later. */
                last_contact_since?: string;
                /** @description Only contacts whose last contact was before this time. */
                last_contact_before?: string;
                /** @description Only contacts with a call or message at this time or later. */
                last_activity_since?: string;
                /** @description Only contacts whose last call or message was before this time. */
                last_activity_before?: string;
                /** @description Only contacts with this source. */
                source?: "api" | "import" | "manual" | "inbound" | "webhook" | "";
                /** @description Only contacts with exactly this company name. */
                company?: string;
                /** @description Only contacts with this email address. Ignores the case of A to Z. */
                email?: string;
                /** @description Only contacts that are enrolled in this campaign. */
                campaign?: string;
                /** @description Only contacts that this import has created or updated, while its rows are stored. */
                import?: string;
                /** @description Only contacts with an email address, or only those without. */
                has_email?: "true" | "false" | "";
                /** @description Only contacts with a name, or only those without. */
                has_name?: "true" | "false" | "";
                /** @description Only contacts that are enrolled in a campaign, or only those in none. */
                in_campaign?: "true" | "false" | "";
                /** @description Only contacts with at least one call or message, or only those without any. */
                called?: "true" | "false" | "";
                /** @description Only contacts of this segment. */
                segment?: string;
                /** @description Whether a contact must have any or all of the tags. Default: any. */
                has_tag_match?: "any" | "all" | "";
                /** @description Only contacts with these tags: up to 10, separated by commas. */
                has_tag?: string;
                /** @description A filter as JSON: conditions `{"attribute", "op", "value"}` in groups `{"all": […]}`, `{"any": […]}` and `{"not": {…}}`. Contacts must match it and all other parameters. See docs/filters.md. */
                filter?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Contact"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    createContact: {
        parameters: {
            query?: {
                /** @description Adds members to the contact, separated by commas: crm_ids, fields, identities. */
                include?: string;
            };
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactCreate"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CreatedContact"];
                    };
                };
            };
        };
    };
    getContact: {
        parameters: {
            query?: {
                /** @description Adds members to the contact, separated by commas: crm_ids, fields, identities. */
                include?: string;
            };
            header?: {
                /** @description ETags that you have. If one is current, the response is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The id of the contact, as a token (`contact_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ContactWithCrmIds"];
                    };
                };
            };
        };
    };
    deleteContact: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that you read. If the record has changed since, the request fails with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the contact, as a token (`contact_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    updateContact: {
        parameters: {
            query?: {
                /** @description Adds members to the contact, separated by commas: crm_ids, fields, identities. */
                include?: string;
            };
            header?: {
                /** @description The ETag that you read. If the record has changed since, the request fails with 412. */
                "If-Match"?: string;
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the contact, as a token (`contact_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Contact"] | components["schemas"]["SentContact"];
                    };
                };
            };
        };
    };
    getContactByPhone: {
        parameters: {
            query?: {
                /** @description Adds members to the contact, separated by commas: crm_ids, fields, identities. */
                include?: string;
            };
            header?: {
                /** @description ETags that you have. If one is current, the response is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The phone number in E.164 format, such as `+14155550100`. The `+` may be sent as it is or as `%2B`. */
                phone: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ContactWithCrmIds"];
                    };
                };
            };
        };
    };
    upsertContact: {
        parameters: {
            query?: {
                /** @description Adds members to the contact, separated by commas: crm_ids, fields, identities. */
                include?: string;
            };
            header?: {
                /** @description The ETag that you read. If the record has changed since, the request fails with 412. */
                "If-Match"?: string;
                /** @description `*` only creates: if the record exists, the request fails with 412. */
                "If-None-Match"?: string;
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The phone number in E.164 format, such as `+14155550100`. The `+` may be sent as it is or as `%2B`. */
                phone: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ContactUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Contact"] | components["schemas"]["SentContact"];
                    };
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CreatedContact"];
                    };
                };
            };
        };
    };
    listContactConflicts: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description Number of records to skip. */
                offset?: number;
                /** @description Only conflicts of this contact. */
                contact_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["PhoneConflict"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    batchContacts: {
        parameters: {
            query?: {
                /** @description Adds members to the contact, separated by commas: crm_ids, fields, identities. */
                include?: string;
            };
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 4 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactBatchRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ContactBatch"];
                    };
                };
            };
        };
    };
    listContactIdentities: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the contact, as a token (`contact_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Identity"][];
                    };
                };
            };
        };
    };
    addIdentity: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the contact, as a token (`contact_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IdentityCreate"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Identity"];
                    };
                };
            };
        };
    };
    removeIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the contact, as a token (`contact_…`) or as a UUID. */
                id: string;
                /** @description The id of the identity, as a token (`identity_…`) or as a UUID. */
                identity_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    makePrimary: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the contact, as a token (`contact_…`) or as a UUID. */
                id: string;
                /** @description The id of the identity, as a token (`identity_…`) or as a UUID. */
                identity_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IdentityUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Identity"];
                    };
                };
            };
        };
    };
    listIdentities: {
        parameters: {
            query: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description Number of records to skip. */
                offset?: number;
                /** @description Selects people without a contact. */
                contact: "none";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["HeldIdentity"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    getIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The kind of the identity. */
                kind: string;
                /** @description Its value, such as `+14155550100`. */
                value: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["HeldIdentity"];
                    };
                };
            };
        };
    };
    exportContacts: {
        parameters: {
            query?: {
                /** @description The format of the file. Default: `csv`. */
                format?: "csv" | "jsonl";
                /** @description `fields` adds the values of the workspace's fields: in CSV, a column for each key after the others. */
                include?: "fields" | "";
                /** @description Words in any order. Each must match part of the phone number, a name or the email address. */
                search?: string;
                /** @description Only contacts with exactly this tag. */
                tag?: string;
                /** @description Only contacts that were created at this time or later. */
                created_since?: string;
                /** @description Only contacts that were created before this time. */
                created_before?: string;
                /** @description Only contacts that were updated at this time or later. */
                updated_since?: string;
                /** @description Only contacts whose last contact was at this time or later. */
                last_contact_since?: string;
                /** @description Only contacts whose last contact was before this time. */
                last_contact_before?: string;
                /** @description Only contacts with a call or message at this time or later. */
                last_activity_since?: string;
                /** @description Only contacts whose last call or message was before this time. */
                last_activity_before?: string;
                /** @description Only contacts with this source. */
                source?: "api" | "import" | "manual" | "inbound" | "webhook" | "";
                /** @description Only contacts with exactly this company name. */
                company?: string;
                /** @description Only contacts with this email address. Ignores the case of A to Z. */
                email?: string;
                /** @description Only contacts that are enrolled in this campaign. */
                campaign?: string;
                /** @description Only contacts that this import has created or updated, while its rows are stored. */
                import?: string;
                /** @description Only contacts with an email address, or only those without. */
                has_email?: "true" | "false" | "";
                /** @description Only contacts with a name, or only those without. */
                has_name?: "true" | "false" | "";
                /** @description Only contacts that are enrolled in a campaign, or only those in none. */
                in_campaign?: "true" | "false" | "";
                /** @description Only contacts with at least one call or message, or only those without any. */
                called?: "true" | "false" | "";
                /** @description Only contacts of this segment. */
                segment?: string;
                /** @description Whether a contact must have any or all of the tags. Default: any. */
                has_tag_match?: "any" | "all" | "";
                /** @description Only contacts with these tags: up to 10, separated by commas. */
                has_tag?: string;
                /** @description A filter as JSON: conditions `{"attribute", "op", "value"}` in groups `{"all": […]}`, `{"any": […]}` and `{"not": {…}}`. Contacts must match it and all other parameters. See docs/filters.md. */
                filter?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/jsonl": string;
                };
            };
        };
    };
    getContactTimeline: {
        parameters: {
            query?: {
                /** @description Only entries of these kinds, separated by commas: `tag,enrollment` */
                kinds?: string;
                /** @description Maximum number of entries. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, with the same `kinds`. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the contact, as a token (`contact_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Timeline"];
                    };
                };
            };
        };
    };
    listTags: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description Number of records to skip. */
                offset?: number;
                /** @description Matches part of the tag. Ignores case and accents. */
                search?: string;
                /** @description The order of the list; `-` reverses it. Default: most used first. */
                sort?: "name" | "-name" | "count" | "-count";
                /** @description Whether to list only tags that differ from another one only by case or accents. */
                similar?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["TagCount"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    listFields: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Field"][];
                    };
                };
            };
        };
    };
    createField: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FieldCreate"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Field"];
                    };
                };
            };
        };
    };
    getField: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The key of the field. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Field"];
                    };
                };
            };
        };
    };
    deleteField: {
        parameters: {
            query?: {
                /** @description Whether to erase the values of an archived field in the background, and then the field. */
                erase?: "true" | "false" | "";
            };
            header?: never;
            path: {
                /** @description The key of the field. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["FieldDeletion"];
                    };
                };
            };
        };
    };
    updateField: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The key of the field. */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FieldUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Field"];
                    };
                };
            };
        };
    };
    listSegments: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description Number of records to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Segment"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    createSegment: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SegmentCreate"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Segment"];
                    };
                };
            };
        };
    };
    getSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the segment, as a token (`segment_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Segment"];
                    };
                };
            };
        };
    };
    deleteSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the segment, as a token (`segment_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    updateSegment: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the segment, as a token (`segment_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SegmentUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Segment"];
                    };
                };
            };
        };
    };
    countSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the segment, as a token (`segment_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["SegmentCount"];
                    };
                };
            };
        };
    };
    listBulkJobs: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description Number of records to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["BulkJob"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    createBulkJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkJobCreate"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["BulkJobReceipt"];
                    };
                };
            };
        };
    };
    getBulkJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the bulk job, as a token (`bulk_job_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["BulkJob"];
                    };
                };
            };
        };
    };
    cancelBulkJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the bulk job, as a token (`bulk_job_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["BulkJobReceipt"];
                    };
                };
            };
        };
    };
    undoBulkJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the bulk job, as a token (`bulk_job_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["BulkJobReceipt"];
                    };
                };
            };
        };
    };
    downloadBulkExport: {
        parameters: {
            query?: {
                /** @description The format of the file. Default: `csv`. */
                format?: "csv" | "jsonl";
                /** @description `fields` adds the values of the workspace's fields: in CSV, a column for each key after the others. */
                include?: "fields" | "";
            };
            header?: never;
            path: {
                /** @description The id of the bulk job, as a token (`bulk_job_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/jsonl": string;
                };
            };
        };
    };
    listDuplicates: {
        parameters: {
            query?: {
                /** @description Only groups of this reason. */
                reason?: "variant_numbers" | "same_email" | "same_external_id" | "attested_identity" | "same_name_and_company";
                /** @description Only groups of this strength. */
                strength?: "strong" | "weak";
                /** @description Only groups of this contact. */
                contact_id?: string;
                /** @description `true` lists the groups whose contacts are all dismissed as different people, instead of the others. */
                dismissed?: "true" | "false";
                /** @description Maximum number of groups. */
                limit?: number;
                /** @description The `next_cursor` of the previous page, with the same filters. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DuplicateList"];
                    };
                };
            };
        };
    };
    getDuplicate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the duplicate, as a token (`duplicate_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Duplicate"];
                    };
                };
            };
        };
    };
    dismissDuplicate: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the duplicate, as a token (`duplicate_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Duplicate"];
                    };
                };
            };
        };
    };
    restoreDuplicate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the duplicate, as a token (`duplicate_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Duplicate"];
                    };
                };
            };
        };
    };
    listMerges: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description Number of records to skip. */
                offset?: number;
                /** @description Only merges in which this contact was or is. */
                contact_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Merge"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    createMerge: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MergeCreate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MergePlan"];
                    };
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Merge"];
                    };
                };
            };
        };
    };
    getMerge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the merge, as a token (`merge_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MergeWithLosses"];
                    };
                };
            };
        };
    };
    undoMerge: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the merge, as a token (`merge_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Merge"];
                    };
                };
            };
        };
    };
    listAgents: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description Number of records to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ListedAgent"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    createAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentCreate"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["WrittenAgent"];
                    };
                };
            };
        };
    };
    duplicateAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the agent (UUID). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AgentDuplicate"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["WrittenAgent"];
                    };
                };
            };
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags that you have. If one is current, the response is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The id of the agent (UUID). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Agent"];
                    };
                };
            };
        };
    };
    deleteAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that you read. If the record has changed since, the request fails with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the agent (UUID). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    updateAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that you read. If the record has changed since, the request fails with 412. */
                "If-Match"?: string;
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the agent (UUID). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["WrittenAgent"];
                    };
                };
            };
        };
    };
    getAgentVariables: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags that you have. If one is current, the response is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The id of the agent (UUID). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["AgentVariables"];
                    };
                };
            };
        };
    };
    replaceAgentVariables: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that you read. If the record has changed since, the request fails with 412. */
                "If-Match"?: string;
                /** @description `*` only creates: if the record exists, the request fails with 412. */
                "If-None-Match"?: string;
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the agent (UUID). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentVariablesInput"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["AgentVariables"];
                    };
                };
            };
        };
    };
    listVersions: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description Number of records to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description The id of the agent (UUID). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ListedVersion"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    createVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that you read. If the record has changed since, the request fails with 412. */
                "If-Match"?: string;
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the agent (UUID). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["VersionCreate"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["WrittenVersion"];
                    };
                };
            };
        };
    };
    getConfigSchema: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags that you have. If one is current, the response is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The id of the agent (UUID). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ConfigSchema"];
                    };
                };
            };
        };
    };
    replaceConfigSchema: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that you read. If the record has changed since, the request fails with 412. */
                "If-Match"?: string;
                /** @description `*` only creates: if the record exists, the request fails with 412. */
                "If-None-Match"?: string;
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the agent (UUID). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfigSchemaInput"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ConfigSchema"];
                    };
                };
            };
        };
    };
    deleteConfigSchema: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that you read. If the record has changed since, the request fails with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the agent (UUID). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    getVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the agent (UUID). */
                id: string;
                /** @description The id of the version, or its label, such as `v3`. */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Version"];
                    };
                };
            };
        };
    };
    compareVersions: {
        parameters: {
            query: {
                /** @description The version to compare with: its id, or its label, such as `v3`. */
                from: string;
            };
            header?: never;
            path: {
                /** @description The id of the agent (UUID). */
                id: string;
                /** @description The id of the version, or its label, such as `v3`. */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["VersionDiff"];
                    };
                };
            };
        };
    };
    rollBackAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the agent (UUID). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RollBackAgentRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Deploy"];
                    };
                };
            };
        };
    };
    deployVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the agent (UUID). */
                id: string;
                /** @description The id of the version, or its label, such as `v3`. */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DeployVersionRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Deploy"];
                    };
                };
            };
        };
    };
    listAgentDeploys: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description Number of records to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description The id of the agent (UUID). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DeployRecord"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    listVersionDeploys: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description Number of records to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description The id of the agent (UUID). */
                id: string;
                /** @description The id of the version, or its label, such as `v3`. */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DeployRecord"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    listDeploys: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description Number of records to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DeployRecord"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    getActiveVersion: {
        parameters: {
            query?: {
                /** @description A time with its time zone. */
                at?: string;
            };
            header?: never;
            path: {
                /** @description The id of the agent (UUID). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ActiveVersion"] | null;
                    };
                };
            };
        };
    };
    renderVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the agent (UUID). */
                id: string;
                /** @description The id of the version, or its label, such as `v3`. */
                version: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenderInput"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Rendering"];
                    };
                };
            };
        };
    };
    listChannels: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description Number of records to skip. */
                offset?: number;
                /** @description Only channels that this agent is connected to. */
                agent_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Channel"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    createChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelCreate"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CreatedChannel"];
                    };
                };
            };
        };
    };
    getChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags that you have. If one is current, the response is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The id of the channel, as a token (`channel_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Channel"];
                    };
                };
            };
        };
    };
    deleteChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that you read. If the record has changed since, the request fails with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the channel, as a token (`channel_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    updateChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that you read. If the record has changed since, the request fails with 412. */
                "If-Match"?: string;
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the channel, as a token (`channel_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Channel"];
                    };
                };
            };
        };
    };
    rotateChannelSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the channel, as a token (`channel_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateChannelSecretRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CreatedChannel"];
                    };
                };
            };
        };
    };
    revokeOldChannelSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the channel, as a token (`channel_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Channel"];
                    };
                };
            };
        };
    };
    connectAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the channel, as a token (`channel_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelAgentUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Channel"];
                    };
                };
            };
        };
    };
    disconnectAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the channel, as a token (`channel_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Channel"];
                    };
                };
            };
        };
    };
    listCalls: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description Number of records to skip. */
                offset?: number;
                /** @description Only calls with this contact. */
                contact_id?: string;
                /** @description Only calls whose report names this identity, such as that of a person without a contact. */
                identity_id?: string;
                /** @description Only calls on this channel. */
                channel_id?: string;
                /** @description Only calls of this agent. */
                agent_id?: string;
                /** @description Only calls that this version handled. */
                version_id?: string;
                /** @description Only incoming or only outgoing calls. */
                direction?: "inbound" | "outbound";
                /** @description Only calls, or only messages. */
                type?: "call" | "message" | "";
                /** @description Only calls with this status. */
                status?: "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "canceled" | "failed" | "";
                /** @description Only calls that started at this time or later. */
                started_since?: string;
                /** @description Only calls that started before this time. */
                started_before?: string;
                /** @description Only calls with this number of the other party: an international number in any format, such as `+1 415-555-0100`. Any other text, such as a short code, finds the calls whose `number` is exactly this. */
                number?: string;
                /** @description Only calls with this disposition. */
                disposition?: string;
                /** @description Only calls that reached this goal, or with a minus sign before it, that missed it. */
                goal?: string;
                /** @description Only calls with this tag. */
                tag?: string;
                /** @description Only calls that lasted this many seconds or more. */
                seconds_min?: number | string;
                /** @description Only calls that lasted this many seconds or less. */
                seconds_max?: number | string;
                /** @description Only calls whose summary, note or stored transcript contains this text, regardless of case and accents. `total_is_capped` says that earlier calls were not searched. */
                search?: string;
                /** @description The order of the list; `-` reverses it. Default: the order in which calls were recorded, newest first; with a filter other than `contact_id`, `channel_id`, `agent_id` and `direction`, `-started_at`. */
                sort?: "started_at" | "-started_at" | "";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Call"][];
                        pagination: components["schemas"]["CappedPagination"];
                    };
                };
            };
        };
    };
    getCallStatistics: {
        parameters: {
            query?: {
                /** @description Only calls with this contact. */
                contact_id?: string;
                /** @description Only calls whose report names this identity, such as that of a person without a contact. */
                identity_id?: string;
                /** @description Only calls on this channel. */
                channel_id?: string;
                /** @description Only calls of this agent. */
                agent_id?: string;
                /** @description Only calls that this version handled. */
                version_id?: string;
                /** @description Only incoming or only outgoing calls. */
                direction?: "inbound" | "outbound";
                /** @description Only calls, or only messages. */
                type?: "call" | "message" | "";
                /** @description Only calls with this status. */
                status?: "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "canceled" | "failed" | "";
                /** @description Only calls that started at this time or later. */
                started_since?: string;
                /** @description Only calls that started before this time. */
                started_before?: string;
                /** @description Only calls with this number of the other party: an international number in any format, such as `+1 415-555-0100`. Any other text, such as a short code, finds the calls whose `number` is exactly this. */
                number?: string;
                /** @description Only calls with this disposition. */
                disposition?: string;
                /** @description Only calls that reached this goal, or with a minus sign before it, that missed it. */
                goal?: string;
                /** @description Only calls with this tag. */
                tag?: string;
                /** @description Only calls that lasted this many seconds or more. */
                seconds_min?: number | string;
                /** @description Only calls that lasted this many seconds or less. */
                seconds_max?: number | string;
                /** @description Only calls whose summary, note or stored transcript contains this text, regardless of case and accents. `total_is_capped` says that earlier calls were not searched. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CallStatistics"];
                    };
                };
            };
        };
    };
    listCallTags: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CallTag"][];
                    };
                };
            };
        };
    };
    getOutcomes: {
        parameters: {
            query?: {
                /** @description Only calls that this version handled. */
                version_id?: string;
                /** @description Only calls on this channel. */
                channel_id?: string;
                /** @description Only calls that a version of this agent handled. */
                agent_id?: string;
                /** @description The first day of the period, in the time zone of the workspace; among the last 366 days. Default: 30 days before its end. */
                since?: string;
                /** @description The day after the last one. Default: tomorrow. */
                before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Outcomes"];
                    };
                };
            };
        };
    };
    getCallSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags that you have. If one is current, the response is 304. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CallSettings"];
                    };
                };
            };
        };
    };
    replaceCallSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that you read. If the record has changed since, the request fails with 412. */
                "If-Match"?: string;
                /** @description `*` only creates: if the record exists, the request fails with 412. */
                "If-None-Match"?: string;
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallSettingsInput"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CallSettings"];
                    };
                };
            };
        };
    };
    getTranscript: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the call, as a token (`call_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Transcript"];
                    };
                };
            };
        };
    };
    replaceTranscript: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the call, as a token (`call_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 512 KiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["TranscriptInput"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["StoredTranscript"];
                    };
                };
            };
        };
    };
    getCall: {
        parameters: {
            query?: {
                /** @description Adds `instructions`: the text that the runtime reports to have used, and its hash. A key also needs the scopes `agents:read` and `contacts:read`. */
                include?: "instructions" | "";
            };
            header?: never;
            path: {
                /** @description The id of the call, as a token (`call_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CallWithInstructions"];
                    };
                };
            };
        };
    };
    updateCall: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the call, as a token (`call_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Call"];
                    };
                };
            };
        };
    };
    exportCalls: {
        parameters: {
            query?: {
                /** @description Only calls with this contact. */
                contact_id?: string;
                /** @description Only calls whose report names this identity, such as that of a person without a contact. */
                identity_id?: string;
                /** @description Only calls on this channel. */
                channel_id?: string;
                /** @description Only calls of this agent. */
                agent_id?: string;
                /** @description Only calls that this version handled. */
                version_id?: string;
                /** @description Only incoming or only outgoing calls. */
                direction?: "inbound" | "outbound";
                /** @description Only calls, or only messages. */
                type?: "call" | "message" | "";
                /** @description Only calls with this status. */
                status?: "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "canceled" | "failed" | "";
                /** @description Only calls that started at this time or later. */
                started_since?: string;
                /** @description Only calls that started before this time. */
                started_before?: string;
                /** @description Only calls with this number of the other party: an international number in any format, such as `+1 415-555-0100`. Any other text, such as a short code, finds the calls whose `number` is exactly this. */
                number?: string;
                /** @description Only calls with this disposition. */
                disposition?: string;
                /** @description Only calls that reached this goal, or with a minus sign before it, that missed it. */
                goal?: string;
                /** @description Only calls with this tag. */
                tag?: string;
                /** @description Only calls that lasted this many seconds or more. */
                seconds_min?: number | string;
                /** @description Only calls that lasted this many seconds or less. */
                seconds_max?: number | string;
                /** @description Only calls whose summary, note or stored transcript contains this text, regardless of case and accents. `total_is_capped` says that earlier calls were not searched. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    listCampaigns: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description Number of records to skip. */
                offset?: number;
                /** @description Selects the campaigns whose name contains this text. */
                search?: string;
                /** @description Selects the campaigns with this status. */
                status?: "draft" | "active" | "paused" | "finished";
                /** @description Selects the campaigns of this agent. */
                agent_id?: string;
                /** @description The order. A minus sign reverses it. Default: `-created_at`. */
                sort?: "created_at" | "-created_at" | "name" | "-name" | "updated_at" | "-updated_at";
                /** @description `schedule` adds the schedule of each campaign. */
                include?: "schedule";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ListedCampaign"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    createCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignCreate"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Campaign"];
                    };
                };
            };
        };
    };
    getCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags that you have. If one is current, the response is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The id of the campaign, as a token (`campaign_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Campaign"];
                    };
                };
            };
        };
    };
    deleteCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign, as a token (`campaign_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    updateCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that you read. If the record has changed since, the request fails with 412. */
                "If-Match"?: string;
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the campaign, as a token (`campaign_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Campaign"];
                    };
                };
            };
        };
    };
    duplicateCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the campaign, as a token (`campaign_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CampaignDuplicate"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Campaign"];
                    };
                };
            };
        };
    };
    getCampaignProgress: {
        parameters: {
            query?: {
                /** @description How many days, up to today. */
                days?: number;
            };
            header?: never;
            path: {
                /** @description The id of the campaign, as a token (`campaign_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CampaignProgress"];
                    };
                };
            };
        };
    };
    checkCampaignStart: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign, as a token (`campaign_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CampaignStartCheck"];
                    };
                };
            };
        };
    };
    listCampaignEnrollments: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description Number of records to skip. */
                offset?: number;
                /** @description Selects the contacts with this status. */
                status?: "pending" | "in_progress" | "completed" | "failed" | "blocked" | "skipped";
                /** @description Selects contacts by name, phone number or email. */
                search?: string;
                /** @description The order: by contact (the newest last), or by the next attempt, which lists only the contacts that wait for one. A minus sign reverses it. Default: `-contact`. */
                sort?: "contact" | "-contact" | "next_attempt" | "-next_attempt";
            };
            header?: never;
            path: {
                /** @description The id of the campaign, as a token (`campaign_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Enrollment"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    enrollContacts: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the campaign, as a token (`campaign_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnrollmentCreate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["EnrollmentResult"];
                    };
                };
            };
        };
    };
    deleteEnrollment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the campaign, as a token (`campaign_…`) or as a UUID. */
                id: string;
                /** @description The id of the contact, as a token (`contact_…`) or as a UUID. */
                contact: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    updateEnrollment: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the campaign, as a token (`campaign_…`) or as a UUID. */
                id: string;
                /** @description The id of the contact, as a token (`contact_…`) or as a UUID. */
                contact: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnrollmentUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Enrollment"];
                    };
                };
            };
        };
    };
    listContactEnrollments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the contact, as a token (`contact_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Enrollment"][];
                    };
                };
            };
        };
    };
    previewDeploy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the agent (UUID). */
                id: string;
                /** @description The id of the version, or its label, such as `v3`. */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DeployImpact"];
                    };
                };
            };
        };
    };
    getCampaignSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags that you have. If one is current, the response is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The id of the campaign, as a token (`campaign_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CampaignSchedule"];
                    };
                };
            };
        };
    };
    updateCampaignSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that you read. If the record has changed since, the request fails with 412. */
                "If-Match"?: string;
                /** @description `*` only creates: if the record exists, the request fails with 412. */
                "If-None-Match"?: string;
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the campaign, as a token (`campaign_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignScheduleUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CampaignSchedule"];
                    };
                };
            };
        };
    };
    claimContacts: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the campaign, as a token (`campaign_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ClaimCreate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ClaimedContacts"];
                    };
                };
            };
        };
    };
    exportCampaignEnrollments: {
        parameters: {
            query?: {
                /** @description Selects the contacts with this status. */
                status?: "pending" | "in_progress" | "completed" | "failed" | "blocked" | "skipped";
            };
            header?: never;
            path: {
                /** @description The id of the campaign, as a token (`campaign_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    previewImportColumns: {
        parameters: {
            query?: {
                /** @description The character encoding of a CSV file. Detected if omitted. */
                encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "windows-1250" | "windows-1251" | "windows-1253" | "windows-1254" | "windows-1255" | "windows-1256" | "windows-1257" | "windows-1258" | "windows-874" | "iso-8859-2" | "iso-8859-5" | "koi8-r" | "koi8-u" | "ibm866" | "macintosh" | "shift_jis" | "euc-jp" | "gb18030" | "big5" | "euc-kr";
                /** @description The line of the header row, counted from 1; 0 if the file has none. Detected if omitted. */
                header_row?: number;
                /** @description The sheet of an Excel workbook. Default: the first visible sheet with content. */
                sheet?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": string;
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                "application/octet-stream": string;
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ImportBeginning"];
                    };
                };
            };
        };
    };
    listImports: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description Number of records to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Import"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    createImport: {
        parameters: {
            query?: {
                /** @description ISO country code, for example US. */
                country?: components["schemas"]["Country"];
                /** @description Whether numbers without an international form are stored as they are written. Default: no. */
                legacy?: boolean;
                /** @description Whether a row skips an existing contact, fills its empty fields (default), or overwrites its fields. */
                on_existing?: "skip" | "fill" | "overwrite";
                /** @description Whether the tags of a row are added to those of an existing contact (default), or replace them. */
                tags?: "merge" | "replace";
                /** @description Whether an invalid optional cell is left out with a warning (default), or its row is rejected. */
                on_invalid?: "omit_field" | "reject_row";
                /** @description As `on_invalid`, for email addresses only. */
                on_invalid_email?: "omit_field" | "reject_row";
                /** @description Of several rows with one number: imports the first (default), the last, or the first with the values that only later rows have. */
                on_duplicate?: "first" | "last" | "fill";
                /** @description The name of the CRM whose ids are in the column that is mapped to `crm_ids`. */
                crm?: string;
                /** @description The campaign in which applying the import enrolls the contacts of its rows, each once, with the columns that are mapped to `variables.<name>`. Also requires the scope `campaigns:write`, and to apply it `contacts:read`. */
                campaign_id?: string;
                /** @description The character encoding of a CSV file. Detected if omitted. */
                encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" | "windows-1250" | "windows-1251" | "windows-1253" | "windows-1254" | "windows-1255" | "windows-1256" | "windows-1257" | "windows-1258" | "windows-874" | "iso-8859-2" | "iso-8859-5" | "koi8-r" | "koi8-u" | "ibm866" | "macintosh" | "shift_jis" | "euc-jp" | "gb18030" | "big5" | "euc-kr";
                /** @description The line of the header row, counted from 1; 0 if the file has none. Detected if omitted. */
                header_row?: number;
                /** @description The sheet of an Excel workbook. Default: the first visible sheet with content. */
                sheet?: string;
                /** @description The name of the file. */
                name?: string;
                /** @description JSON object that maps columns, by zero-based index or name, to fields, or to null to ignore a column. `fields.<key>` is a field of the workspace, `variables.<name>` a variable of the enrollment. */
                mapping?: string;
                /** @description JSON object. Contact fields to create from columns, by zero-based index or name, when the import is applied. Requires the scope `admin`, or an owner. */
                create_fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": string;
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                "application/octet-stream": string;
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Import"];
                    };
                };
            };
        };
    };
    getImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Import"];
                    };
                };
            };
        };
    };
    deleteImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    replanImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplanImportRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Import"];
                    };
                };
            };
        };
    };
    listImportRows: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description Number of records to skip. */
                offset?: number;
                /** @description Only rows for which the plan has this verdict. */
                verdict?: "create" | "update" | "unchanged" | "duplicate_in_file" | "invalid";
                /** @description Only rows that had this effect. */
                effect?: "created" | "updated" | "none" | "removed" | "restored" | "edited_since";
                /** @description Only rows with warnings, or only those without. */
                warnings?: boolean;
                /** @description Only rows that are rejected or incomplete for this reason. */
                reason?: "country_missing" | "country_mismatch" | "country_ambiguous" | "phone_too_short" | "digits_lost" | "phone_missing" | "phone_invalid" | "email_invalid" | "tags_invalid" | "value_invalid" | "crm_id_invalid" | "crm_id_conflict" | "duplicate_in_file";
                /** @description `changes` adds `normalized_phone` and `changes` to each row. */
                include?: "changes";
            };
            header?: never;
            path: {
                /** @description The id of the import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ImportRow"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    getImportReasons: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ImportReasons"];
                    };
                };
            };
        };
    };
    downloadImportReport: {
        parameters: {
            query?: {
                /** @description Only rows for which the plan has this verdict. */
                verdict?: "create" | "update" | "unchanged" | "duplicate_in_file" | "invalid";
                /** @description Only rows that had this effect. */
                effect?: "created" | "updated" | "none" | "removed" | "restored" | "edited_since";
                /** @description Only rows with warnings, or only those without. */
                warnings?: boolean;
                /** @description Only rows that are rejected or incomplete for this reason. */
                reason?: "country_missing" | "country_mismatch" | "country_ambiguous" | "phone_too_short" | "digits_lost" | "phone_missing" | "phone_invalid" | "email_invalid" | "tags_invalid" | "value_invalid" | "crm_id_invalid" | "crm_id_conflict" | "duplicate_in_file";
            };
            header?: never;
            path: {
                /** @description The id of the import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    applyImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Import"];
                    };
                };
            };
        };
    };
    previewImportUndo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ImportUndo"];
                    };
                };
            };
        };
    };
    undoImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Import"];
                    };
                };
            };
        };
    };
    listIntegrations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Integration"][];
                    };
                };
            };
        };
    };
    createIntegration: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IntegrationCreate"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CreatedIntegration"];
                    };
                };
            };
        };
    };
    getIntegration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the integration, as a token (`integration_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Integration"];
                    };
                };
            };
        };
    };
    deleteIntegration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the integration, as a token (`integration_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    updateIntegration: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the integration, as a token (`integration_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IntegrationUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Integration"];
                    };
                };
            };
        };
    };
    rotateIntegrationSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the integration, as a token (`integration_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateIntegrationSecretRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CreatedIntegration"];
                    };
                };
            };
        };
    };
    revokeOldIntegrationSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the integration, as a token (`integration_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Integration"];
                    };
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Key"][];
                    };
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyCreate"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CreatedKey"];
                    };
                };
            };
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Key"];
                    };
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["User"][];
                    };
                };
            };
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserInvite"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CreatedUser"];
                    };
                };
            };
        };
    };
    createSignInLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["SignInLink"];
                    };
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["User"];
                    };
                };
            };
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["User"];
                    };
                };
            };
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Settings"];
                    };
                };
            };
        };
    };
    updateSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettingsUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Settings"];
                    };
                };
            };
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description Number of records to skip. */
                offset?: number;
                /** @description Only changes by this key, user, channel, integration or webhook. */
                actor?: string;
                /** @description Only changes to this record or to a part of it. */
                subject?: string;
                /** @description An action or a prefix of one: `contact.deleted`, `contact.` */
                action?: string;
                /** @description Only changes at this time or later. */
                since?: string;
                /** @description Only changes before this time. */
                before?: string;
                /** @description The order by time. A minus sign reverses it. By default the newest change is first. */
                sort?: "at" | "-at";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["AuditEntry"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description The id of the last event that you have. Without it, the log begins with its oldest event; `latest` begins after the newest one. */
                after?: string;
                /** @description Only events of these types, separated by commas: `contact.created,contact.updated` */
                types?: string;
                /** @description Maximum number of events. */
                limit?: number;
                /** @description Seconds to wait for an event if there is none yet. */
                wait?: number;
                /** @description `thin` leaves out the snapshots: `data` is `null`. Default: `snapshot`. */
                payload?: "snapshot" | "thin";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["EventPage"];
                    };
                    "text/event-stream": string;
                };
            };
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the event. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Event"];
                    };
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description Number of records to skip. */
                offset?: number;
                /** @description Only endpoints with this status. */
                status?: "active" | "paused" | "disabled";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Webhook"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookCreate"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CreatedWebhook"];
                    };
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags that you have. If one is current, the response is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The id of the webhook, as a token (`webhook_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that you read. If the record has changed since, the request fails with 412. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the webhook, as a token (`webhook_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag that you read. If the record has changed since, the request fails with 412. */
                "If-Match"?: string;
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the webhook, as a token (`webhook_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookUpdate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the webhook, as a token (`webhook_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateWebhookSecretRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CreatedWebhook"];
                    };
                };
            };
        };
    };
    revokeOldWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook, as a token (`webhook_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
        };
    };
    listWebhookAttempts: {
        parameters: {
            query?: {
                /** @description Only attempts with this result. */
                result?: "delivered" | "failed" | "gone";
                /** @description Maximum number of attempts. */
                limit?: number;
                /** @description Only attempts before the one with this number, to get the next page. */
                before?: number;
            };
            header?: never;
            path: {
                /** @description The id of the webhook, as a token (`webhook_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["WebhookAttemptPage"];
                    };
                };
            };
        };
    };
    getWebhookAttempt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook, as a token (`webhook_…`) or as a UUID. */
                id: string;
                /** @description The number of the attempt. */
                attempt: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["WebhookAttemptDetails"];
                    };
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the webhook, as a token (`webhook_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["WebhookAttemptDetails"];
                    };
                };
            };
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique value for every request. A retry with the same key within 24 hours is not executed again: it returns the first response with the header `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the webhook, as a token (`webhook_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookReplayCreate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["WebhookReplay"];
                    };
                };
            };
        };
    };
    cancelWebhookReplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook, as a token (`webhook_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
        };
    };
    getChannelAgent: {
        parameters: {
            query?: {
                /** @description The other party's number, in any format. Adds the contact and the instructions with its values. If it is empty or not a phone number, `contact` is `null`. */
                number?: string;
            };
            header?: {
                /** @description ETags that you have. If one is current, the response is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The id of the channel, as a token (`channel_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ChannelAgentFull"];
                    };
                };
            };
        };
    };
    receiveCallEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the channel, as a token (`channel_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 64 KiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallEvent"];
                "application/x-www-form-urlencoded": {
                    [key: string]: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["RecordedCall"];
                    };
                    "text/xml": string;
                };
            };
        };
    };
    startSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the channel, as a token (`channel_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 64 KiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionCreate"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Session"];
                    };
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Session"];
                    };
                };
            };
        };
    };
    receivePlatformMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the channel, as a token (`channel_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 4 MiB. */
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
                "application/x-www-form-urlencoded": {
                    [key: string]: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string;
                    "text/xml": string;
                };
            };
        };
    };
    receiveContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the integration, as a token (`integration_…`) or as a UUID. */
                id: string;
            };
            cookie?: never;
        };
        /** @description At most 64 KiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookContact"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ReceivedContact"];
                    };
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ReceivedContact"];
                    };
                };
            };
        };
    };
    onContactCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event. A repeated delivery has the same one. */
                "webhook-id": string;
                /** @description When the request was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures by Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description Any status from 200 to 299 confirms the delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Disables the webhook. With any other status, the delivery is retried. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onContactUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event. A repeated delivery has the same one. */
                "webhook-id": string;
                /** @description When the request was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures by Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description Any status from 200 to 299 confirms the delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Disables the webhook. With any other status, the delivery is retried. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onContactDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event. A repeated delivery has the same one. */
                "webhook-id": string;
                /** @description When the request was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures by Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description Any status from 200 to 299 confirms the delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Disables the webhook. With any other status, the delivery is retried. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onContactMerged: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event. A repeated delivery has the same one. */
                "webhook-id": string;
                /** @description When the request was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures by Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description Any status from 200 to 299 confirms the delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Disables the webhook. With any other status, the delivery is retried. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onContactUnmerged: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event. A repeated delivery has the same one. */
                "webhook-id": string;
                /** @description When the request was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures by Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description Any status from 200 to 299 confirms the delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Disables the webhook. With any other status, the delivery is retried. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onAgentCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event. A repeated delivery has the same one. */
                "webhook-id": string;
                /** @description When the request was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures by Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description Any status from 200 to 299 confirms the delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Disables the webhook. With any other status, the delivery is retried. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onAgentUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event. A repeated delivery has the same one. */
                "webhook-id": string;
                /** @description When the request was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures by Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description Any status from 200 to 299 confirms the delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Disables the webhook. With any other status, the delivery is retried. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onAgentDeployed: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event. A repeated delivery has the same one. */
                "webhook-id": string;
                /** @description When the request was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures by Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description Any status from 200 to 299 confirms the delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Disables the webhook. With any other status, the delivery is retried. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onAgentDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event. A repeated delivery has the same one. */
                "webhook-id": string;
                /** @description When the request was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures by Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description Any status from 200 to 299 confirms the delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Disables the webhook. With any other status, the delivery is retried. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onVersionCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event. A repeated delivery has the same one. */
                "webhook-id": string;
                /** @description When the request was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures by Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description Any status from 200 to 299 confirms the delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Disables the webhook. With any other status, the delivery is retried. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onChannelCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event. A repeated delivery has the same one. */
                "webhook-id": string;
                /** @description When the request was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures by Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description Any status from 200 to 299 confirms the delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Disables the webhook. With any other status, the delivery is retried. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onChannelUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event. A repeated delivery has the same one. */
                "webhook-id": string;
                /** @description When the request was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures by Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description Any status from 200 to 299 confirms the delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Disables the webhook. With any other status, the delivery is retried. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onChannelDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event. A repeated delivery has the same one. */
                "webhook-id": string;
                /** @description When the request was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures by Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description Any status from 200 to 299 confirms the delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Disables the webhook. With any other status, the delivery is retried. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCallRecorded: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event. A repeated delivery has the same one. */
                "webhook-id": string;
                /** @description When the request was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures by Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description Any status from 200 to 299 confirms the delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Disables the webhook. With any other status, the delivery is retried. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCallUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event. A repeated delivery has the same one. */
                "webhook-id": string;
                /** @description When the request was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures by Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description Any status from 200 to 299 confirms the delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Disables the webhook. With any other status, the delivery is retried. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCampaignCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event. A repeated delivery has the same one. */
                "webhook-id": string;
                /** @description When the request was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures by Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description Any status from 200 to 299 confirms the delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Disables the webhook. With any other status, the delivery is retried. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCampaignUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event. A repeated delivery has the same one. */
                "webhook-id": string;
                /** @description When the request was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures by Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description Any status from 200 to 299 confirms the delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Disables the webhook. With any other status, the delivery is retried. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCampaignDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event. A repeated delivery has the same one. */
                "webhook-id": string;
                /** @description When the request was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures by Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description Any status from 200 to 299 confirms the delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Disables the webhook. With any other status, the delivery is retried. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEnrollmentCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event. A repeated delivery has the same one. */
                "webhook-id": string;
                /** @description When the request was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures by Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description Any status from 200 to 299 confirms the delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Disables the webhook. With any other status, the delivery is retried. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEnrollmentUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event. A repeated delivery has the same one. */
                "webhook-id": string;
                /** @description When the request was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures by Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description Any status from 200 to 299 confirms the delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Disables the webhook. With any other status, the delivery is retried. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onEnrollmentDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event. A repeated delivery has the same one. */
                "webhook-id": string;
                /** @description When the request was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures by Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description Any status from 200 to 299 confirms the delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Disables the webhook. With any other status, the delivery is retried. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onImportCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event. A repeated delivery has the same one. */
                "webhook-id": string;
                /** @description When the request was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures by Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description Any status from 200 to 299 confirms the delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Disables the webhook. With any other status, the delivery is retried. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onImportUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event. A repeated delivery has the same one. */
                "webhook-id": string;
                /** @description When the request was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures by Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description Any status from 200 to 299 confirms the delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Disables the webhook. With any other status, the delivery is retried. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onImportDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event. A repeated delivery has the same one. */
                "webhook-id": string;
                /** @description When the request was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures by Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description Any status from 200 to 299 confirms the delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Disables the webhook. With any other status, the delivery is retried. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookDisabled: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event. A repeated delivery has the same one. */
                "webhook-id": string;
                /** @description When the request was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures by Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description Any status from 200 to 299 confirms the delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Disables the webhook. With any other status, the delivery is retried. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookTest: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event. A repeated delivery has the same one. */
                "webhook-id": string;
                /** @description When the request was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description Signatures by Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description Any status from 200 to 299 confirms the delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Disables the webhook. With any other status, the delivery is retried. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
