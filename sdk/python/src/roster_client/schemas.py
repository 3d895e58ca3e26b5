# Generated from docs/openapi.json by build/sdk/python.ts.
"""The records and inputs of the API."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, TypedDict


class Identity(TypedDict):
    id: str
    kind: Literal["phone", "whatsapp_user", "email_address", "external"]
    value: str
    is_primary: bool
    """Whether it is the contact's number."""
    verified_by: str | None
    """How it was verified."""
    valid_from: str
    """Since when the contact has had it."""
    valid_until: str | None


class _Contact(TypedDict):
    id: str
    """A prefix and 26 characters that encode a UUIDv7."""
    phone_number: str
    """E.164. Some legacy contacts have a number in national format."""
    first_name: str | None
    """Given name."""
    last_name: str | None
    """Family name."""
    display_name: str | None
    """How the contact wants to be addressed."""
    email: str | None
    """An email address."""
    company: str | None
    """The company that the contact works for."""
    notes: str | None
    """Internal notes for the team."""
    tags: list[str]
    """In the order in which they were sent."""
    source: Literal["api", "import", "manual", "inbound", "webhook"]
    """How the contact was created."""
    created_at: str
    """When the contact was created."""
    updated_at: str
    """When the contact was last updated. Increases with every update."""
    first_contact_at: str
    """When the first contact took place."""
    last_contact_at: str
    """When the most recent contact took place."""


class Contact(_Contact, total=False):
    crm_ids: dict[str, str]
    """The contact's id in each CRM, by CRM name."""
    fields: dict[str, str | float | bool]
    """The contact's values of the workspace's fields, by key. Archived fields are left out."""
    identities: list[Identity]
    """Current ones first."""


class Pagination(TypedDict):
    total: int
    limit: int
    offset: int
    has_more: bool


class Problem(TypedDict):
    field: str
    message: str


class Error(TypedDict):
    success: Literal[False]
    error: ErrorError


class _ErrorError(TypedDict):
    code: Literal["VALIDATION_ERROR", "UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND", "METHOD_NOT_ALLOWED", "CONFLICT", "GONE", "PRECONDITION_FAILED", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "IDEMPOTENCY_MISMATCH", "RATE_LIMITED", "INTERNAL_ERROR", "UNAVAILABLE"]
    message: str
    request_id: str


class ErrorError(_ErrorError, total=False):
    details: list[Problem] | dict[str, str]
    """The invalid fields, or for a conflict the conflicting record."""


class _ContactCreate(TypedDict):
    phone_number: str
    """E.164: + and the country code, 7 to 15 digits in total. Unique in the workspace."""


class ContactCreate(_ContactCreate, total=False):
    first_name: str | None
    """Given name."""
    last_name: str | None
    """Family name."""
    display_name: str | None
    """How the contact wants to be addressed."""
    email: str | None
    """An email address."""
    company: str | None
    """The company that the contact works for."""
    notes: str | None
    """Internal notes for the team."""
    tags: list[str]
    """Replaces all tags. Duplicates are removed; the order is preserved. At most 50 different entries."""
    fields: dict[str, str | float | bool | None]
    """Values of the workspace's fields by key. Other fields stay as they are; `null` clears one."""
    id: Any
    """Set by the service. Ignored in a request."""
    source: Any
    """Set by the service. Ignored in a request."""
    first_contact_at: Any
    """Set by the service. Ignored in a request."""
    last_contact_at: Any
    """Set by the service. Ignored in a request."""
    created_at: Any
    """Set by the service. Ignored in a request."""
    updated_at: Any
    """Set by the service. Ignored in a request."""
    crm_ids: Any
    """Set by the service. Ignored in a request."""


class _CreatedContact(TypedDict):
    id: str
    """A prefix and 26 characters that encode a UUIDv7."""
    phone_number: str
    """E.164. Some legacy contacts have a number in national format."""
    first_name: str | None
    """Given name."""
    last_name: str | None
    """Family name."""
    display_name: str | None
    """How the contact wants to be addressed."""
    email: str | None
    """An email address."""
    company: str | None
    """The company that the contact works for."""
    notes: str | None
    """Internal notes for the team."""
    tags: list[str]
    """In the order in which they were sent."""
    source: Literal["api", "import", "manual", "inbound", "webhook"]
    """How the contact was created."""
    created_at: str
    """When the contact was created."""
    updated_at: str
    """When the contact was last updated. Increases with every update."""


class CreatedContact(_CreatedContact, total=False):
    crm_ids: dict[str, str]
    """The contact's id in each CRM, by CRM name."""
    fields: dict[str, str | float | bool]
    """The contact's values of the workspace's fields, by key. Archived fields are left out."""
    identities: list[Identity]
    """Current ones first."""


class _ContactWithCrmIds(TypedDict):
    id: str
    """A prefix and 26 characters that encode a UUIDv7."""
    phone_number: str
    """E.164. Some legacy contacts have a number in national format."""
    first_name: str | None
    """Given name."""
    last_name: str | None
    """Family name."""
    display_name: str | None
    """How the contact wants to be addressed."""
    email: str | None
    """An email address."""
    company: str | None
    """The company that the contact works for."""
    notes: str | None
    """Internal notes for the team."""
    tags: list[str]
    """In the order in which they were sent."""
    source: Literal["api", "import", "manual", "inbound", "webhook"]
    """How the contact was created."""
    created_at: str
    """When the contact was created."""
    updated_at: str
    """When the contact was last updated. Increases with every update."""
    first_contact_at: str
    """When the first contact took place."""
    last_contact_at: str
    """When the most recent contact took place."""
    crm_ids: dict[str, str]
    """The contact's id in each CRM, by CRM name."""


class ContactWithCrmIds(_ContactWithCrmIds, total=False):
    fields: dict[str, str | float | bool]
    """The contact's values of the workspace's fields, by key. Archived fields are left out."""
    identities: list[Identity]
    """Current ones first."""


class ContactUpdate(TypedDict, total=False):
    phone_number: str
    """A new number must be in E.164 format. The stored number can be sent back unchanged in any format. In an upsert: the number in the path; if omitted, a legacy contact keeps the number that it displays."""
    confirm_phone_change: bool
    """Must be true to change the number of a legacy contact whose displayed and normalized numbers conflict."""
    first_name: str | None
    """Given name."""
    last_name: str | None
    """Family name."""
    display_name: str | None
    """How the contact wants to be addressed."""
    email: str | None
    """An email address."""
    company: str | None
    """The company that the contact works for."""
    notes: str | None
    """Internal notes for the team."""
    tags: list[str]
    """Replaces all tags. Duplicates are removed; the order is preserved. At most 50 different entries."""
    fields: dict[str, str | float | bool | None]
    """Values of the workspace's fields by key. Other fields stay as they are; `null` clears one."""
    id: Any
    """Set by the service. Ignored in a request."""
    source: Any
    """Set by the service. Ignored in a request."""
    first_contact_at: Any
    """Set by the service. Ignored in a request."""
    last_contact_at: Any
    """Set by the service. Ignored in a request."""
    created_at: Any
    """Set by the service. Ignored in a request."""
    updated_at: Any
    """Set by the service. Ignored in a request."""
    crm_ids: Any
    """Set by the service. Ignored in a request."""


class _SentContact(TypedDict):
    id: str
    """A prefix and 26 characters that encode a UUIDv7."""


class SentContact(_SentContact, total=False):
    """For a key without the scope `contacts:read`: the id, and the fields of the request."""
    phone_number: str
    """E.164. Some legacy contacts have a number in national format."""
    first_name: str | None
    """Given name."""
    last_name: str | None
    """Family name."""
    display_name: str | None
    """How the contact wants to be addressed."""
    email: str | None
    """An email address."""
    company: str | None
    """The company that the contact works for."""
    notes: str | None
    """Internal notes for the team."""
    tags: list[str]
    """In the order in which they were sent."""
    fields: dict[str, str | float | bool]
    """The contact's values of the workspace's fields, by key. Archived fields are left out."""


class Deleted(TypedDict):
    deleted: Literal[True]


class PhoneRepair(TypedDict):
    phone_number: str | None
    confirm_phone_change: Literal[True]


class PhoneConflict(TypedDict):
    contact: Contact
    normalized_phone: str | None
    repair: PhoneRepair


class _ContactCreateOperation(TypedDict):
    op: Literal["create", "upsert"]
    phone_number: str
    """E.164: + and the country code, 7 to 15 digits in total. Unique in the workspace."""


class ContactCreateOperation(_ContactCreateOperation, total=False):
    first_name: str | None
    """Given name."""
    last_name: str | None
    """Family name."""
    display_name: str | None
    """How the contact wants to be addressed."""
    email: str | None
    """An email address."""
    company: str | None
    """The company that the contact works for."""
    notes: str | None
    """Internal notes for the team."""
    tags: list[str]
    """Replaces all tags. Duplicates are removed; the order is preserved. At most 50 different entries."""
    fields: dict[str, str | float | bool | None]
    """Values of the workspace's fields by key. Other fields stay as they are; `null` clears one."""
    source: Any
    """Set by the service. Ignored in a request."""
    first_contact_at: Any
    """Set by the service. Ignored in a request."""
    last_contact_at: Any
    """Set by the service. Ignored in a request."""
    created_at: Any
    """Set by the service. Ignored in a request."""
    updated_at: Any
    """Set by the service. Ignored in a request."""
    crm_ids: Any
    """Set by the service. Ignored in a request."""


class _ContactUpdateOperation(TypedDict):
    op: Literal["update"]


class ContactUpdateOperation(_ContactUpdateOperation, total=False):
    id: str
    """The contact to update or delete, as a token or a UUID."""
    phone_number: str
    """With an id, the new number. Without one, the E.164 number of the contact."""
    confirm_phone_change: bool
    """Must be true to change the number of a legacy contact whose displayed and normalized numbers conflict."""
    first_name: str | None
    """Given name."""
    last_name: str | None
    """Family name."""
    display_name: str | None
    """How the contact wants to be addressed."""
    email: str | None
    """An email address."""
    company: str | None
    """The company that the contact works for."""
    notes: str | None
    """Internal notes for the team."""
    tags: list[str]
    """Replaces all tags. Duplicates are removed; the order is preserved. At most 50 different entries."""
    fields: dict[str, str | float | bool | None]
    """Values of the workspace's fields by key. Other fields stay as they are; `null` clears one."""
    source: Any
    """Set by the service. Ignored in a request."""
    first_contact_at: Any
    """Set by the service. Ignored in a request."""
    last_contact_at: Any
    """Set by the service. Ignored in a request."""
    created_at: Any
    """Set by the service. Ignored in a request."""
    updated_at: Any
    """Set by the service. Ignored in a request."""
    crm_ids: Any
    """Set by the service. Ignored in a request."""


class _ContactDeleteOperation(TypedDict):
    op: Literal["delete"]


class ContactDeleteOperation(_ContactDeleteOperation, total=False):
    id: str
    """The contact to update or delete, as a token or a UUID."""
    phone_number: str
    """With an id, the new number. Without one, the E.164 number of the contact."""


ContactOperation: TypeAlias = "ContactCreateOperation | ContactUpdateOperation | ContactDeleteOperation"


class _ContactBatchRequest(TypedDict):
    operations: list[ContactOperation]
    """Executed in this order. Later operations see the results of earlier ones."""


class ContactBatchRequest(_ContactBatchRequest, total=False):
    atomic: bool
    """If true, all operations succeed, or nothing changes and the error names the failed ones."""


class _ContactOperationResult(TypedDict):
    index: int
    """The position of the operation in the request, from 0."""
    status: Literal["created", "updated", "deleted", "failed"]
    id: str | None
    """The id of the contact; null if the operation failed."""
    error: ContactOperationResultError | None
    """The error that the endpoint for a single contact returns; null if the operation succeeded."""


class ContactOperationResult(_ContactOperationResult, total=False):
    crm_ids: dict[str, str]
    """The contact's id in each CRM, by CRM name."""
    fields: dict[str, str | float | bool]
    """The contact's values of the workspace's fields, by key. Archived fields are left out."""
    identities: list[Identity]
    """Current ones first."""


class _ContactOperationResultError(TypedDict):
    code: Literal["VALIDATION_ERROR", "UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND", "METHOD_NOT_ALLOWED", "CONFLICT", "GONE", "PRECONDITION_FAILED", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "IDEMPOTENCY_MISMATCH", "RATE_LIMITED", "INTERNAL_ERROR", "UNAVAILABLE"]
    message: str


class ContactOperationResultError(_ContactOperationResultError, total=False):
    """The error that the endpoint for a single contact returns; null if the operation succeeded."""
    details: list[Problem] | dict[str, str]
    """The invalid fields, or for a conflict the conflicting record."""


class ContactBatch(TypedDict):
    created: int
    """Number of created contacts."""
    updated: int
    """Number of updates."""
    deleted: int
    """Number of deleted contacts."""
    failed: int
    """Number of failed operations."""
    results: list[ContactOperationResult]
    """One for each operation, in the same order."""


class _IdentityCreate(TypedDict):
    kind: Literal["phone", "whatsapp_user", "email_address", "external"]
    value: str
    """By kind: a number in E.164, an opaque business-scoped user id of WhatsApp (at most 128 characters), an email address, which is stored in lower case, or any id of another system."""


class IdentityCreate(_IdentityCreate, total=False):
    verified_by: str | None
    """How it was verified, such as `one-time code`."""
    valid_from: str
    """Since when the contact has had it; not in the future. By default now."""


class IdentityUpdate(TypedDict):
    is_primary: Literal[True]
    """Makes a current secondary number the contact's number."""


class HeldIdentity(TypedDict):
    id: str
    kind: Literal["phone", "whatsapp_user", "email_address", "external"]
    value: str
    is_primary: bool
    """Whether it is the contact's number."""
    verified_by: str | None
    """How it was verified."""
    valid_from: str
    """Since when the contact has had it."""
    valid_until: str | None
    contact_id: str | None
    """`null` for a person without a contact."""


class TimelineActor(TypedDict):
    kind: Literal["key", "user", "channel", "integration", "webhook", "environment", "command line", "start", "schedule", "audience", "unknown", "import"]
    """`channel` is a call or message that came in on the channel."""
    id: str | None
    """The id of a key, user, channel, integration or import."""
    name: str | None
    """The current name; `null` if it was deleted or has none. The email of a user is shown to users and to keys with the scope `admin`."""
    deleted: bool
    """Whether it was deleted."""


class ChangedValues(TypedDict):
    before: dict[str, Any]
    """By the names of the fields. The id of a record is an object with its `id`, `name` and `deleted`."""
    after: dict[str, Any]
    """By the names of the fields. The id of a record is an object with its `id`, `name` and `deleted`."""


class TimelineTags(TypedDict):
    added: list[str]
    removed: list[str]


class TimelineEnrollment(TypedDict):
    campaign_id: str
    campaign_name: str | None
    """`null` if the campaign was deleted."""
    status: Literal["pending", "in_progress", "completed", "failed", "blocked", "skipped"] | None
    """After the change; `null` if it was not recorded."""
    attempts: int | None
    """How often the contact had been claimed."""
    outcome: str | None
    """How the last attempt went."""


class Cost(TypedDict):
    amount: float
    currency: str


class Call(TypedDict):
    id: str
    channel_id: str
    channel_name: str | None
    """`null` if the channel was deleted."""
    channel_kind: Literal["phone", "sms", "whatsapp", "web_chat"] | None
    contact_id: str | None
    contact_name: str | None
    """The display name, or else the first and last name."""
    agent_id: str | None
    agent_name: str | None
    agent_deleted: bool
    """Whether the agent was deleted."""
    version_id: str | None
    version_label: str | None
    type: Literal["call", "message"]
    direction: Literal["inbound", "outbound"]
    status: Literal["queued", "ringing", "in_progress", "completed", "busy", "no_answer", "canceled", "failed"]
    number: str | None
    provider_id: str
    started_at: str
    """When the call started."""
    ended_at: str | None
    seconds: int | None
    session_id: str | None
    """The session that pins the version and the contact; `null` if there was none."""
    disposition: str | None
    goals: dict[str, bool]
    """Whether each goal was reached."""
    ended_by: Literal["agent", "caller", "system"] | None
    cost: Cost | None
    recording_url: str | None
    summary: str | None
    text: str | None
    """The text of a message."""
    data: dict[str, Any]
    """What the conversation found out."""
    note: str | None
    """What the team has noted about the call."""
    tags: list[str]
    """The tags that the team has added, in their order."""


class TimelineEntry(TypedDict):
    id: str
    """Identifies the entry within the timeline."""
    at: str
    """When it happened: for a call, when it started."""
    kind: Literal["edit", "tag", "import", "enrollment", "call", "message"]
    action: Literal["contact.created", "contact.updated", "enrollment.created", "enrollment.claimed", "enrollment.updated", "enrollment.deleted", "call.recorded"]
    actor: TimelineActor | None
    """Who made the change; `null` for a call, and if it was not recorded."""
    source: Literal["api", "import", "manual", "inbound", "webhook"] | None
    """Of a new contact: how it was created."""
    fields: list[str] | None
    """The names of the changed fields."""
    changes: ChangedValues | None
    """The values of the changed fields, without those of archived fields; `null` if they were not recorded."""
    tags: TimelineTags | None
    """The tags that were added and removed, if they were recorded."""
    enrollment: TimelineEnrollment | None
    """The enrollment that was changed."""
    call: Call | None
    """The call or message as it is now."""
    request_id: str | None
    """The id of the request that made the change."""


class Timeline(TypedDict):
    entries: list[TimelineEntry]
    next_cursor: str | None
    """Where the next page begins; `null` after the last."""


class TagCount(TypedDict):
    tag: str
    count: int
    """Number of contacts with the tag."""


class _Field(TypedDict):
    key: str
    """How requests and instructions name the field."""
    label: str
    """How people see it."""
    type: Literal["text", "number", "boolean", "date", "datetime", "enum", "url"]
    filterable: bool
    """Whether lists find contacts by it quickly."""
    archived_at: str | None
    created_at: str
    """When the field was created."""
    updated_at: str
    """When the field was last changed."""


class Field(_Field, total=False):
    options: list[str]
    """Only of an enum."""


class _FieldCreate(TypedDict):
    key: str
    """How requests and instructions name the field. It never changes."""
    label: str
    """How people see the field."""
    type: Literal["text", "number", "boolean", "date", "datetime", "enum", "url"]
    """What values the field takes. It never changes."""


class FieldCreate(_FieldCreate, total=False):
    options: list[str]
    """The values of an enum, in the order in which people see them. At most 100 different entries."""
    filterable: bool
    """Whether lists find contacts by it quickly. At most 20 fields are."""
    archived_at: Any
    """Set by the service. Ignored in a request."""
    created_at: Any
    """Set by the service. Ignored in a request."""
    updated_at: Any
    """Set by the service. Ignored in a request."""


class FieldUpdate(TypedDict, total=False):
    key: str
    label: str
    """How people see the field."""
    type: Literal["text", "number", "boolean", "date", "datetime", "enum", "url"]
    options: list[str]
    """All options of an enum. Options can be added and reordered, not removed."""
    filterable: bool
    """Whether lists find contacts by it quickly. At most 20 fields are."""
    archived: bool
    """Archives the field, or makes it usable again."""
    archived_at: Any
    """Set by the service. Ignored in a request."""
    created_at: Any
    """Set by the service. Ignored in a request."""
    updated_at: Any
    """Set by the service. Ignored in a request."""


class FieldDeletion(TypedDict):
    deleted: bool
    """Whether the field is gone."""
    archived: bool
    """Whether it is archived, because contacts have values."""
    contacts: int
    """How many contacts have a value."""


class _ContactFilterTree1(TypedDict):
    attribute: Literal["phone_number", "phone_country", "name", "first_name", "last_name", "display_name", "email", "company", "notes", "tag", "source", "created_at", "updated_at", "first_contact_at", "last_contact_at", "has_email", "has_name", "in_campaign", "campaign", "called", "last_activity_at", "call_status", "import"] | str
    """An attribute of contacts, or `fields.` and the key of a field that is filterable."""
    op: Literal["eq", "ne", "in", "contains", "starts_with", "is_set", "lt", "lte", "gt", "gte", "within_last", "within_next"]
    """The attribute's type decides which of them it has."""


class ContactFilterTree1(_ContactFilterTree1, total=False):
    value: str | float | bool | list[str | float | bool]
    """An array for `in`; a duration such as `P30D` for `within_last` and `within_next`; `true` (default) or `false` for `is_set`."""


class ContactFilterTree2(TypedDict):
    all: list[ContactFilterTree]
    """All of them must match. `[]` matches every contact."""


class ContactFilterTree3(TypedDict):
    any: list[ContactFilterTree]
    """At least one of them must match."""


ContactFilterTree4 = TypedDict("ContactFilterTree4", {
    "not": "ContactFilterTree",
})


ContactFilterTree: TypeAlias = "ContactFilterTree1 | ContactFilterTree2 | ContactFilterTree3 | ContactFilterTree4"


class Segment(TypedDict):
    id: str
    name: str
    filter: ContactFilterTree
    sort: Literal["created_at", "updated_at", "last_contact_at", "name", "-created_at", "-updated_at", "-last_contact_at", "-name", "last_activity_at", "-last_activity_at"] | None
    """The order in which the dashboard lists its contacts; `null` for newest first."""
    columns: list[str] | None
    """The columns of the list in the dashboard; `null` for its default."""
    shared: bool
    """Whether everyone in the workspace sees it."""
    own: bool
    """Whether the caller has created it."""
    created_at: str
    """When the segment was created."""
    updated_at: str
    """When the segment was last changed."""


class _SegmentCreate(TypedDict):
    name: str
    """Its name."""
    filter: ContactFilterTree


class SegmentCreate(_SegmentCreate, total=False):
    sort: Literal["created_at", "updated_at", "last_contact_at", "name", "-created_at", "-updated_at", "-last_contact_at", "-name", "last_activity_at", "-last_activity_at"] | None
    """The order in which the dashboard lists its contacts; `null` for newest first."""
    columns: list[str] | None
    """The columns of the list in the dashboard; `null` for its default."""
    shared: bool
    """Whether everyone in the workspace sees it. Default: false. A segment of an API key is always shared."""
    id: Any
    """Set by the service. Ignored in a request."""
    own: Any
    """Set by the service. Ignored in a request."""
    created_at: Any
    """Set by the service. Ignored in a request."""
    updated_at: Any
    """Set by the service. Ignored in a request."""


class SegmentUpdate(TypedDict, total=False):
    name: str
    """Its name."""
    filter: ContactFilterTree
    sort: Literal["created_at", "updated_at", "last_contact_at", "name", "-created_at", "-updated_at", "-last_contact_at", "-name", "last_activity_at", "-last_activity_at"] | None
    """The order in which the dashboard lists its contacts; `null` for newest first."""
    columns: list[str] | None
    """The columns of the list in the dashboard; `null` for its default."""
    shared: bool
    """Whether everyone in the workspace sees it. Default: false. A segment of an API key is always shared."""
    id: Any
    """Set by the service. Ignored in a request."""
    own: Any
    """Set by the service. Ignored in a request."""
    created_at: Any
    """Set by the service. Ignored in a request."""
    updated_at: Any
    """Set by the service. Ignored in a request."""


class SegmentCount(TypedDict):
    count: int
    """How many contacts match now."""


class BulkIds(TypedDict):
    ids: list[str]
    """Contact ids. Unknown ids are counted as `missing`. At most 5000 different entries."""


ContactFilter = TypedDict("ContactFilter", {
    "search": "str",
    "tag": "str",
    "created_since": "str",
    "created_before": "str",
    "updated_since": "str",
    "last_contact_since": "str",
    "last_contact_before": "str",
    "last_activity_since": "str",
    "last_activity_before": "str",
    "source": "Literal['api', 'import', 'manual', 'inbound', 'webhook']",
    "company": "str",
    "email": "str",
    "campaign": "str",
    "import": "str",
    "has_email": "bool",
    "has_name": "bool",
    "in_campaign": "bool",
    "called": "bool",
    "segment": "str",
    "has_tag_match": "Literal['any', 'all']",
    "has_tag": "list[str]",
    "filter": "ContactFilterTree",
}, total=False)


class _BulkMatches(TypedDict):
    filter: ContactFilter | ContactFilterTree


_BulkMatchesOptional = TypedDict("_BulkMatchesOptional", {
    "except": "list[str]",
    "created_until": "str",
}, total=False)


class BulkMatches(_BulkMatches, _BulkMatchesOptional):
    pass


BulkSelection: TypeAlias = "BulkIds | BulkMatches"


class _BulkTag(TypedDict):
    action: Literal["tag"]
    selection: BulkSelection


class BulkTag(_BulkTag, total=False):
    add: list[str]
    """Tags to add after the existing ones. At most 50 different entries."""
    remove: list[str]
    """Tags to remove. At most 50 different entries."""


class BulkTagRename(TypedDict):
    action: Literal["rename_tag"]
    tag: str
    to: str


class BulkFields(TypedDict):
    action: Literal["set_fields"]
    selection: BulkSelection
    fields: dict[str, str | float | bool | None]
    """Values of the workspace's fields by key. Other fields stay as they are; `null` clears one."""


class BulkDelete(TypedDict):
    action: Literal["delete"]
    selection: BulkSelection


class BulkEnroll(TypedDict):
    action: Literal["enroll"]
    selection: BulkSelection
    campaign_id: str
    """The campaign to enroll the contacts in."""


class BulkExport(TypedDict):
    action: Literal["export"]
    selection: BulkSelection


BulkJobCreate: TypeAlias = "BulkTag | BulkTagRename | BulkFields | BulkDelete | BulkEnroll | BulkExport"


class BlockedContact(TypedDict):
    id: str
    reason: str
    """Why the contact could not be changed, as a sentence."""


class BulkJobReceipt(TypedDict):
    id: str
    action: Literal["tag", "rename_tag", "set_fields", "delete", "enroll", "export", "undo"]
    """An `undo` is created with `POST /bulk-jobs/{id}/undo`."""
    status: Literal["queued", "running", "done", "canceled", "failed"]
    """`done`, `canceled` and `failed` jobs have ended. Their earlier changes remain."""
    filter: ContactFilter | ContactFilterTree | None
    """The filter of the selection. Null if the selection has ids, and after the job has ended if the filter had `search`, `email` or `company`, or was a tree of conditions, which may be personal data."""
    excluded: int
    """Number of contacts that the selection leaves out."""
    add: list[str]
    """Tags to add."""
    remove: list[str]
    """Tags to remove."""
    tag: str | None
    """The tag to rename."""
    to: str | None
    """The new name of the tag."""
    campaign_id: str | None
    """The campaign to enroll contacts in."""
    fields: list[str]
    """The keys of the fields to set."""
    undoes: str | None
    """The job that an undo restores."""
    undone_by: str | None
    """The job that undoes this one, or has undone it."""
    undo_until: str | None
    total: int | None
    """Number of contacts in the selection when the job was created. Of a finished job: `processed`. Null for a key without the scope `contacts:read`."""
    processed: int | None
    """Number of contacts that the job has reached. Null for a key without the scope `contacts:read`."""
    changed: int | None
    """Contacts that were changed, deleted or enrolled. Of an undo: those that were restored. Null for a key without the scope `contacts:read`."""
    unchanged: int | None
    """Contacts that needed no change. Null for a key without the scope `contacts:read`."""
    missing: int | None
    """Contacts that did not exist, or were deleted before the job reached them. Null for a key without the scope `contacts:read`."""
    blocked: int | None
    """Contacts that could not be changed. Of an undo: those that were changed or claimed since; only the rest of them is restored. Null for a key without the scope `contacts:read`."""
    blocked_contacts: list[BlockedContact]
    """The first of the blocked contacts, at most 20."""
    error: str | None
    """Why the job failed."""
    created_by: str
    """The id of the user or API key that created the job."""
    created_by_email: str | None
    """The email address of the user; null for an API key and a removed user."""
    created_at: str
    """When the job was created. Contacts that were created later are not part of it."""
    started_at: str | None
    finished_at: str | None


class BulkJob(TypedDict):
    id: str
    action: Literal["tag", "rename_tag", "set_fields", "delete", "enroll", "export", "undo"]
    """An `undo` is created with `POST /bulk-jobs/{id}/undo`."""
    status: Literal["queued", "running", "done", "canceled", "failed"]
    """`done`, `canceled` and `failed` jobs have ended. Their earlier changes remain."""
    filter: ContactFilter | ContactFilterTree | None
    """The filter of the selection. Null if the selection has ids, and after the job has ended if the filter had `search`, `email` or `company`, or was a tree of conditions, which may be personal data."""
    excluded: int
    """Number of contacts that the selection leaves out."""
    add: list[str]
    """Tags to add."""
    remove: list[str]
    """Tags to remove."""
    tag: str | None
    """The tag to rename."""
    to: str | None
    """The new name of the tag."""
    campaign_id: str | None
    """The campaign to enroll contacts in."""
    fields: list[str]
    """The keys of the fields to set."""
    undoes: str | None
    """The job that an undo restores."""
    undone_by: str | None
    """The job that undoes this one, or has undone it."""
    undo_until: str | None
    total: int
    """Number of contacts in the selection when the job was created. Of a finished job: `processed`."""
    processed: int
    """Number of contacts that the job has reached."""
    changed: int
    """Contacts that were changed, deleted or enrolled. Of an undo: those that were restored."""
    unchanged: int
    """Contacts that needed no change."""
    missing: int
    """Contacts that did not exist, or were deleted before the job reached them."""
    blocked: int
    """Contacts that could not be changed. Of an undo: those that were changed or claimed since; only the rest of them is restored."""
    blocked_contacts: list[BlockedContact]
    """The first of the blocked contacts, at most 20."""
    error: str | None
    """Why the job failed."""
    created_by: str
    """The id of the user or API key that created the job."""
    created_by_email: str | None
    """The email address of the user; null for an API key and a removed user."""
    created_at: str
    """When the job was created. Contacts that were created later are not part of it."""
    started_at: str | None
    finished_at: str | None


class DuplicateContact(TypedDict):
    id: str
    phone_number: str
    first_name: str | None
    """The first name."""
    last_name: str | None
    """The last name."""
    display_name: str | None
    """The name to show."""
    email: str | None
    """The email."""
    company: str | None
    """The company."""


class Duplicate(TypedDict):
    id: str
    """It stays the same while the group exists."""
    reason: Literal["variant_numbers", "same_email", "same_external_id", "attested_identity", "same_name_and_company"]
    """What the contacts have in common: numbers that are forms of one another, the email, an id in one CRM, an identity that reports attested for both, or the name and the company."""
    strength: Literal["strong", "weak"]
    """`weak` for the name and the company, which two people can share."""
    dismissed: bool
    """Whether all pairs of the contacts are dismissed as different people."""
    count: int
    """The number of contacts."""
    contacts: list[DuplicateContact]
    """2 to 20 contacts in the order of their ids. A contact all of whose pairs are dismissed is left out, unless the group is dismissed."""
    dismissed_pairs: list[list[str]]
    """The pairs of these contacts that are dismissed as different people."""
    created_at: str
    """When the group was found."""
    updated_at: str
    """When its contacts or dismissals changed last."""


class DuplicateList(TypedDict):
    status: Literal["building", "updating", "current"]
    """`building`: all contacts are being compared, and groups are missing. `updating`: the latest changes are being compared. `current`: the list has all changes."""
    progress: float
    """While the list is built: the part of the contacts that was compared. Then 1."""
    duplicates: list[Duplicate]
    next_cursor: str | None
    """Where the next page begins; `null` after the last."""


class _MergeCreate(TypedDict):
    survivor_id: str
    """The contact that stays."""
    other_ids: list[str]
    """The contacts that become a part of it. At most 9 different entries."""


class MergeCreate(_MergeCreate, total=False):
    choices: dict[str, str]
    """The contact whose value a field gets, by the field's name as the plan has it, such as `first_name`, `phone_number`, `fields.plan` or `crm_ids.hubspot`."""
    dry_run: Literal[True]
    """Returns the plan and changes nothing."""
    plan_token: str
    """That of the plan, to merge the contacts as planned."""


class ValueOfContact(TypedDict):
    contact_id: str
    """The id of a contact."""
    value: str | float | bool


class MergedField(TypedDict):
    field: str
    """Its name, by which `choices` names it."""
    value: str | float | bool
    contact_id: str
    """Whose value it is."""
    is_conflict: bool
    """Whether the contacts have different values."""
    values: list[ValueOfContact]
    """The values of all contacts that have one, the survivor first."""


class MergeCounts(TypedDict):
    identities: int
    """Current and former ones."""
    enrollments: int | None
    """How many enrollments; `null` without the scope `campaigns:read`."""
    calls: int | None
    """How many calls and messages; `null` without the scope `calls:read`."""
    sessions: int | None
    """How many sessions of runtimes; `null` without the scope `calls:read`."""
    renderings: int
    """Rendered instructions."""
    import_rows: int
    """Rows of imports."""
    bulk_changes: int
    """What bulk jobs keep for an undo."""


class RemovedEnrollment(TypedDict):
    contact_id: str
    """The id of a contact."""
    status: str


class MergedEnrollment(TypedDict):
    campaign_id: str
    status: str
    """Of the enrollment that stays: the most advanced."""
    contact_id: str
    """Whose enrollment it is now."""
    removed: list[RemovedEnrollment]


class MergePlan(TypedDict):
    survivor_id: str
    other_ids: list[str]
    fields: list[MergedField]
    """Every field that one of the contacts has."""
    tags: list[str]
    """The tags of all contacts, in their order."""
    first_contact_at: str
    """The earliest of all."""
    last_contact_at: str
    """The latest of all."""
    moves: MergeCounts
    enrollments: list[MergedEnrollment] | None
    """The campaigns in which one of the others is enrolled; `null` without the scope `campaigns:read`."""
    warnings: list[str]
    """What the caller should know before the merge."""
    plan_token: str
    """Send it instead of `dry_run` to merge the contacts as planned."""
    expires_at: str
    """Until when the token is valid."""


class NotRestored(TypedDict):
    contact_id: str
    """The id of a contact."""
    kind: Literal["identity", "enrollment"]
    reason: Literal["held_by_other", "removed", "changed"]
    held_by: str | None
    """The contact that has the identity by now."""
    campaign_id: str | None
    """Of an enrollment."""


class Merge(TypedDict):
    id: str
    survivor_id: str
    other_ids: list[str]
    status: Literal["moving", "merged", "undoing", "undone"]
    """`moving` while the rest of a large call history moves, which is already part of the survivor; `undoing` while it moves back."""
    moved: MergeCounts
    created_by: str
    """The id of the user or the API key."""
    created_at: str
    """When the contacts were merged."""
    undo_until: str | None
    """Until when it can be undone; `null` if it was."""
    undone_by: str | None
    """The id of the user or the API key that has undone it."""
    undone_at: str | None
    """When it was undone."""
    kept: list[str]
    """Of an undo: fields that stay with the survivor, because they were changed since."""
    kept_calls: int | None
    """How many calls and messages since the merge stay with the survivor; `null` without the scope `calls:read`."""
    not_restored: list[NotRestored]
    """Of an undo: what could not be restored."""


class LostValue(TypedDict):
    field: str
    contact_id: str
    """The id of a contact."""
    value: str | float | bool


class MergeWithLosses(TypedDict):
    id: str
    survivor_id: str
    other_ids: list[str]
    status: Literal["moving", "merged", "undoing", "undone"]
    """`moving` while the rest of a large call history moves, which is already part of the survivor; `undoing` while it moves back."""
    moved: MergeCounts
    created_by: str
    """The id of the user or the API key."""
    created_at: str
    """When the contacts were merged."""
    undo_until: str | None
    """Until when it can be undone; `null` if it was."""
    undone_by: str | None
    """The id of the user or the API key that has undone it."""
    undone_at: str | None
    """When it was undone."""
    kept: list[str]
    """Of an undo: fields that stay with the survivor, because they were changed since."""
    kept_calls: int | None
    """How many calls and messages since the merge stay with the survivor; `null` without the scope `calls:read`."""
    not_restored: list[NotRestored]
    """Of an undo: what could not be restored."""
    lost: list[LostValue] | None
    """The values that the survivor did not keep; `null` after an undo and after 30 days."""


class DeployedVersion(TypedDict):
    id: str
    """A UUIDv7."""
    version_label: str
    """v1, v2, …: numbered per agent, without gaps."""


class ListedAgent(TypedDict):
    id: str
    """A UUIDv7."""
    name: str
    """The name of the agent."""
    description: str | None
    """The purpose of the agent."""
    created_at: str
    """When the agent was created."""
    updated_at: str
    """When the agent was last updated. Increases with every update."""
    deployed_version: DeployedVersion | None
    """`null` until a version is deployed."""


class _AgentCreate(TypedDict):
    name: str
    """The name of the agent."""
    instructions: str
    """The system prompt. Sending it creates a new draft version."""


class AgentCreate(_AgentCreate, total=False):
    description: str | None
    """The purpose of the agent."""
    id: Any
    """Set by the service. Ignored in a request."""
    created_at: Any
    """Set by the service. Ignored in a request."""
    updated_at: Any
    """Set by the service. Ignored in a request."""
    deployed_version: Any
    """Set by the service. Ignored in a request."""
    versions: Any
    """Set by the service. Ignored in a request."""


class WrittenAgent(TypedDict):
    id: str
    """A UUIDv7."""
    name: str
    """The name of the agent."""
    description: str | None
    """The purpose of the agent."""
    created_at: str
    """When the agent was created."""
    updated_at: str
    """When the agent was last updated. Increases with every update."""


class AgentDuplicate(TypedDict, total=False):
    name: str
    """The name of the copy; \"Copy of\" and the name of the agent if omitted."""
    version: str
    """The version to copy, by id or label; if omitted, the deployed one, or else the newest."""


class DeployedVersionFull(TypedDict):
    id: str
    """A UUIDv7."""
    version_label: str
    """v1, v2, …: numbered per agent, without gaps."""
    instructions: str
    """The active instructions."""


class VersionSummary(TypedDict):
    id: str
    """A UUIDv7."""
    version_label: str
    """v1, v2, …: numbered per agent, without gaps."""
    deployment_status: Literal["draft", "deployed", "archived"]
    """At most one version is deployed."""
    created_at: str
    """When the version was created."""


class Agent(TypedDict):
    id: str
    """A UUIDv7."""
    name: str
    """The name of the agent."""
    description: str | None
    """The purpose of the agent."""
    created_at: str
    """When the agent was created."""
    updated_at: str
    """When the agent was last updated. Increases with every update."""
    deployed_version: DeployedVersionFull | None
    """`null` until a version is deployed."""
    versions: list[VersionSummary]
    """Newest first."""


class AgentUpdate(TypedDict, total=False):
    name: str
    """The name of the agent."""
    description: str | None
    """The purpose of the agent."""
    instructions: str
    """The system prompt. Sending it creates a new draft version."""
    based_on: str
    """The version, by id or label, that the instructions were edited from. Ignored without `instructions`."""
    id: Any
    """Set by the service. Ignored in a request."""
    created_at: Any
    """Set by the service. Ignored in a request."""
    updated_at: Any
    """Set by the service. Ignored in a request."""
    deployed_version: Any
    """Set by the service. Ignored in a request."""
    versions: Any
    """Set by the service. Ignored in a request."""


class AgentVariable(TypedDict):
    name: str
    """The name in placeholders: `slot` for `{{slot}}`."""
    description: str | None
    """What the value is."""
    example: str | None
    """A possible value."""


class AgentVariables(TypedDict):
    variables: list[AgentVariable]
    """In the order in which they were sent."""


class _AgentVariableInput(TypedDict):
    name: str
    """The name in placeholders: `slot` for `{{slot}}`."""


class AgentVariableInput(_AgentVariableInput, total=False):
    description: str | None
    """What the value is."""
    example: str | None
    """A possible value."""


class AgentVariablesInput(TypedDict):
    variables: list[AgentVariableInput]
    """All variables that only enrollments and runtimes provide. Their names differ."""


class VersionCreate(TypedDict, total=False):
    instructions: str
    """The system prompt. Sending it creates a new draft version."""
    config: dict[str, Any]
    """What else the runtime needs, such as model, voice and tools. At most 64 KiB, stored and returned byte for byte. Name secrets as `$secret:name`."""
    note: str | None
    """What changed, and why."""
    based_on: str
    """The version, by id or label, whose instructions and config are copied where the request has none; if omitted, the newest."""


class WrittenVersion(TypedDict):
    id: str
    version_label: str
    deployment_status: Literal["draft", "deployed", "archived"]
    created_at: str
    """When the version was created."""
    note: str | None
    """What changed, and why."""
    config_sha256: str
    """The SHA-256 of the canonical form (RFC 8785) of `config`, in hexadecimal digits."""


class ConfigSchema(TypedDict):
    schema: dict[str, Any] | None
    """As it was sent, byte for byte; `null` if there is none."""


class ConfigSchemaInput(TypedDict):
    schema: dict[str, Any]
    """A JSON Schema (draft 2020-12) of at most 64 KiB. `$ref` only within it."""


class BaseVersion(TypedDict):
    agent_id: str
    agent_name: str
    agent_deleted: bool
    """Whether the agent was deleted."""
    version_id: str
    version_label: str


class Version(TypedDict):
    id: str
    version_label: str
    deployment_status: Literal["draft", "deployed", "archived"]
    created_at: str
    """When the version was created."""
    created_by: str | None
    """The id of the user or the API key that wrote the version; `null` if unknown."""
    created_by_email: str | None
    """The email of the user; `null` after the user is removed, if an API key wrote the version, and for callers with an API key that does not have the scope `admin`."""
    created_by_key_name: str | None
    """The name of the API key; `null` for a user."""
    based_on: BaseVersion | None
    """The version that it was edited or copied from; `null` if unknown."""
    deployed_at: str | None
    deployed_by: str | None
    deployed_by_email: str | None
    """The email of the user; `null` after the user is removed, if an API key deployed, and for callers with an API key that does not have the scope `admin`."""
    deployed_by_key_name: str | None
    """The name of the API key; `null` for a user."""
    note: str | None
    version_note: str | None
    """What the author wrote about the version. `note` is that of the deploy."""
    config_sha256: str
    """The SHA-256 of the canonical form (RFC 8785) of `config`, in hexadecimal digits."""
    instructions: str
    config: dict[str, Any]
    """As it was sent, byte for byte; `{}` if there is none."""


class ComparedVersion(TypedDict):
    id: str
    version_label: str
    deployment_status: Literal["draft", "deployed", "archived"]
    created_at: str
    """When the version was created."""


class DiffChange(TypedDict):
    change: Literal["same", "added", "removed"]
    lines: list[str]


class DiffHunk(TypedDict):
    from_start: int
    """The first line of the region in the version `from`."""
    from_lines: int
    """The number of lines in that version."""
    to_start: int
    """The first line of the region in the other version."""
    to_lines: int
    """The number of lines in that version."""
    changes: list[DiffChange]


class _ConfigChange(TypedDict):
    path: str
    """A JSON Pointer, such as `/model/temperature`."""
    change: Literal["added", "removed", "changed"]


class ConfigChange(_ConfigChange, total=False):
    before: Any
    """Any JSON value."""
    after: Any
    """Any JSON value."""


class ConfigDiff(TypedDict):
    changes: list[ConfigChange]


VersionDiff = TypedDict("VersionDiff", {
    "from": "ComparedVersion",
    "to": "ComparedVersion",
    "added": "int",
    "removed": "int",
    "hunks": "list[DiffHunk]",
    "unified": "str",
    "config": "ConfigDiff",
})


RollBackAgentRequest = TypedDict("RollBackAgentRequest", {
    "note": "str | None",
    "confirm_unknown_variables": "bool",
    "from": "str",
}, total=False)


class Deploy(TypedDict):
    version_id: str
    version_label: str
    previous_version_id: str | None
    deployed_at: str
    """When the version was deployed."""
    deployed_by: str
    """The id of the user or the API key."""
    deployed_by_email: str | None
    """The email of the user; `null` after the user is removed, if an API key deployed, and for callers with an API key that does not have the scope `admin`."""
    deployed_by_key_name: str | None
    """The name of the API key; `null` for a user."""
    note: str | None
    changed: bool
    """False if the version was already deployed; the response then describes that deploy."""


class DeployVersionRequest(TypedDict, total=False):
    note: str | None
    """Why it is deployed. The history of deploys shows it."""
    confirm_unknown_variables: bool
    """Must be true to deploy instructions with unknown variables."""


class ListedVersion(TypedDict):
    id: str
    version_label: str
    deployment_status: Literal["draft", "deployed", "archived"]
    created_at: str
    """When the version was created."""
    created_by: str | None
    """The id of the user or the API key that wrote the version; `null` if unknown."""
    created_by_email: str | None
    """The email of the user; `null` after the user is removed, if an API key wrote the version, and for callers with an API key that does not have the scope `admin`."""
    created_by_key_name: str | None
    """The name of the API key; `null` for a user."""
    based_on: BaseVersion | None
    """The version that it was edited or copied from; `null` if unknown."""
    deployed_at: str | None
    deployed_by: str | None
    deployed_by_email: str | None
    """The email of the user; `null` after the user is removed, if an API key deployed, and for callers with an API key that does not have the scope `admin`."""
    deployed_by_key_name: str | None
    """The name of the API key; `null` for a user."""
    note: str | None
    version_note: str | None
    """What the author wrote about the version. `note` is that of the deploy."""
    config_sha256: str
    """The SHA-256 of the canonical form (RFC 8785) of `config`, in hexadecimal digits."""


class DeployRecord(TypedDict):
    agent_id: str
    agent_name: str
    agent_deleted: bool
    """Whether the agent was deleted."""
    version_id: str
    version_label: str
    previous_version_id: str | None
    deployed_at: str
    """When the version was deployed."""
    deployed_by: str
    """The id of the user or the API key."""
    deployed_by_email: str | None
    """The email of the user; `null` after the user is removed, if an API key deployed, and for callers with an API key that does not have the scope `admin`."""
    deployed_by_key_name: str | None
    """The name of the API key; `null` for a user."""
    note: str | None
    previous_version_label: str | None
    active_until: str | None


class ActiveVersion(TypedDict):
    id: str
    version_label: str
    deployment_status: Literal["draft", "deployed", "archived"]
    created_at: str
    """When the version was created."""
    instructions: str
    deployed_at: str
    """When the version was deployed."""
    deployed_by: str
    """The id of the user or the API key."""
    deployed_by_email: str | None
    """The email of the user; `null` after the user is removed, if an API key deployed, and for callers with an API key that does not have the scope `admin`."""
    deployed_by_key_name: str | None
    """The name of the API key; `null` for a user."""
    note: str | None
    version_note: str | None
    """What the author wrote about the version. `note` is that of the deploy."""
    config_sha256: str
    """The SHA-256 of the canonical form (RFC 8785) of `config`, in hexadecimal digits."""
    config: dict[str, Any]
    """As it was sent, byte for byte; `{}` if there is none."""


class RenderedContactInput(TypedDict, total=False):
    """A contact that need not exist."""
    phone_number: str
    """E.164: + and the country code, 7 to 15 digits in total. Unique in the workspace."""
    first_name: str | None
    """Given name."""
    last_name: str | None
    """Family name."""
    display_name: str | None
    """How the contact wants to be addressed."""
    email: str | None
    """An email address."""
    company: str | None
    """The company that the contact works for."""
    notes: str | None
    """Internal notes for the team."""
    tags: list[str]
    """Replaces all tags. Duplicates are removed; the order is preserved. At most 50 different entries."""
    fields: dict[str, str | float | bool | None]
    """Values of the workspace's fields by key. Other fields stay as they are; `null` clears one."""
    id: str | None
    source: str | None
    first_contact_at: str | None
    """A time with its time zone."""
    last_contact_at: str | None
    """A time with its time zone."""
    created_at: str | None
    """A time with its time zone."""
    updated_at: str | None
    """A time with its time zone."""
    crm_ids: dict[str, str]


class RenderInput(TypedDict, total=False):
    contact_id: str
    """The id of a contact."""
    phone_number: str
    """A contact's international number, in any format."""
    contact: RenderedContactInput
    variables: dict[str, str | float | bool | None]
    """Values by name, such as those of an enrollment."""
    instructions: str
    """A text to render instead of the version's, such as one that is not saved yet."""


class RenderedVersion(TypedDict):
    id: str
    version_label: str


class Rendering(TypedDict):
    text: str
    """The rendered instructions."""
    used: dict[str, str]
    """The values that were inserted, by the name in the placeholder."""
    sha256: str
    """The SHA-256 of the text in UTF-8, in hexadecimal digits."""
    holes: list[str]
    """Known names without a value and without a fallback. They are empty in the text."""
    version: RenderedVersion
    config: dict[str, Any]
    """As it was sent, byte for byte; `{}` if there is none."""


class ChannelAgent(TypedDict):
    id: str
    name: str


class Channel(TypedDict):
    id: str
    kind: Literal["phone", "sms", "whatsapp", "web_chat"]
    name: str
    address: str
    adapter: Literal["native", "vapi", "retell", "elevenlabs", "telnyx", "twilio_conversationrelay", "jambonz"]
    agent: ChannelAgent | None
    old_secret_expires_at: str | None
    old_platform_secret_expires_at: str | None
    created_at: str
    """When the channel was created."""
    updated_at: str
    """When the channel was last changed."""


class ChannelUpdate(TypedDict, total=False):
    name: str
    address: str
    adapter: Literal["native", "vapi", "retell", "elevenlabs", "telnyx", "twilio_conversationrelay", "jambonz"]
    """The voice platform that the channel belongs to. `native` is for runtimes that use the hooks of channels, and for callbacks of Twilio."""
    platform_secret: str | None
    """What the platform signs with: the auth token of Twilio, the API key of Retell, the secret of the post-call webhook of ElevenLabs, the public key of Telnyx, or the webhook secret of jambonz. Without one, the secret of the channel is used."""
    grace_hours: int
    id: Any
    """Set by the service. Ignored in a request."""
    agent: Any
    """Set by the service. Ignored in a request."""
    old_secret_expires_at: Any
    """Set by the service. Ignored in a request."""
    old_platform_secret_expires_at: Any
    """Set by the service. Ignored in a request."""
    created_at: Any
    """Set by the service. Ignored in a request."""
    updated_at: Any
    """Set by the service. Ignored in a request."""
    kind: Any
    """Set by the service. Ignored in a request."""


class _ChannelCreate(TypedDict):
    kind: Literal["phone", "sms", "whatsapp", "web_chat"]
    name: str
    address: str


class ChannelCreate(_ChannelCreate, total=False):
    adapter: Literal["native", "vapi", "retell", "elevenlabs", "telnyx", "twilio_conversationrelay", "jambonz"]
    """The voice platform that the channel belongs to. `native` is for runtimes that use the hooks of channels, and for callbacks of Twilio."""
    platform_secret: str | None
    """What the platform signs with: the auth token of Twilio, the API key of Retell, the secret of the post-call webhook of ElevenLabs, the public key of Telnyx, or the webhook secret of jambonz. Without one, the secret of the channel is used."""
    id: Any
    """Set by the service. Ignored in a request."""
    agent: Any
    """Set by the service. Ignored in a request."""
    old_secret_expires_at: Any
    """Set by the service. Ignored in a request."""
    old_platform_secret_expires_at: Any
    """Set by the service. Ignored in a request."""
    created_at: Any
    """Set by the service. Ignored in a request."""
    updated_at: Any
    """Set by the service. Ignored in a request."""


class CreatedChannel(TypedDict):
    id: str
    kind: Literal["phone", "sms", "whatsapp", "web_chat"]
    name: str
    address: str
    adapter: Literal["native", "vapi", "retell", "elevenlabs", "telnyx", "twilio_conversationrelay", "jambonz"]
    agent: ChannelAgent | None
    old_secret_expires_at: str | None
    old_platform_secret_expires_at: str | None
    created_at: str
    """When the channel was created."""
    updated_at: str
    """When the channel was last changed."""
    secret: str
    """Shown only once."""


class RotateChannelSecretRequest(TypedDict, total=False):
    grace_hours: int
    replace_new: bool
    """While an old secret is still accepted, replaces the new secret, for example because it was lost. The old one remains accepted."""


class ChannelAgentUpdate(TypedDict):
    agent_id: str


class CappedPagination(TypedDict):
    total: int
    limit: int
    offset: int
    has_more: bool
    total_is_capped: bool
    """Whether the list has more records than `total`."""


class CallsOfDay(TypedDict):
    day: str
    calls: int
    """Calls and messages."""
    timed_calls: int
    """Those with a duration."""
    seconds: int
    """The sum of the durations."""
    statuses: dict[str, int]
    """Calls by status. A status without calls is missing."""


CallsOfDuration = TypedDict("CallsOfDuration", {
    "from": "int",
    "below": "int | None",
    "calls": "int",
})


class CallsOfVersion(TypedDict):
    version_id: str
    version_label: str
    agent_id: str
    agent_name: str
    agent_deleted: bool
    calls: int
    """Calls and messages."""
    timed_calls: int
    """Those with a duration."""
    seconds: int
    """The sum of the durations."""
    statuses: dict[str, int]
    """Calls by status. A status without calls is missing."""


class CallStatistics(TypedDict):
    time_zone: str
    """The time zone of the days."""
    started_since: str
    """The start of the period."""
    started_before: str
    """The end of the period."""
    is_complete: bool
    """Whether all calls of the period are counted; otherwise the latest 100000."""
    calls: int
    """Calls and messages."""
    timed_calls: int
    """Those with a duration."""
    seconds: int
    """The sum of the durations."""
    statuses: dict[str, int]
    """Calls by status. A status without calls is missing."""
    days: list[CallsOfDay]
    """The days of the period, oldest first."""
    durations: list[CallsOfDuration]
    """Calls by duration."""
    versions: list[CallsOfVersion]
    """The 50 versions with most calls, in that order."""


class CallTag(TypedDict):
    tag: str


class GoalCounts(TypedDict):
    reached: int
    missed: int


class OutcomesOfDay(TypedDict):
    day: str
    dispositions: dict[str, int]
    """Calls by disposition. One without calls is missing."""
    goals: dict[str, GoalCounts]
    """How many calls reached and missed each goal. One that no call reports is missing."""


class OutcomesOfVersion(TypedDict):
    version_id: str | None
    """`null` for calls without a version."""
    version_label: str | None
    agent_id: str | None
    dispositions: dict[str, int]
    """Calls by disposition. One without calls is missing."""
    goals: dict[str, GoalCounts]
    """How many calls reached and missed each goal. One that no call reports is missing."""


class OutcomesOfChannel(TypedDict):
    channel_id: str
    channel_name: str | None
    """`null` if the channel was deleted."""
    dispositions: dict[str, int]
    """Calls by disposition. One without calls is missing."""
    goals: dict[str, GoalCounts]
    """How many calls reached and missed each goal. One that no call reports is missing."""


class Outcomes(TypedDict):
    time_zone: str
    """The time zone of the days."""
    days: list[OutcomesOfDay]
    """The days of the period, oldest first. An hour counts for the day in which it begins."""
    versions: list[OutcomesOfVersion]
    channels: list[OutcomesOfChannel]
    dispositions: dict[str, int]
    """Calls by disposition. One without calls is missing."""
    goals: dict[str, GoalCounts]
    """How many calls reached and missed each goal. One that no call reports is missing."""


class Disposition(TypedDict):
    key: str
    label: str


class FieldRule(TypedDict):
    data: str
    """A member of `data`."""
    field: str
    """The key of a field of the workspace, or first_name, last_name, display_name, email, company, notes."""
    mode: Literal["overwrite", "if_empty"]
    """`overwrite` replaces the value of the contact; `if_empty` leaves one that it has."""


class CallSettings(TypedDict):
    dispositions: list[Disposition]
    field_rules: list[FieldRule]
    transcript_days: int | None
    """For how many days a transcript is kept; `null` if transcripts are off."""


class DispositionInput(TypedDict):
    key: str
    label: str


class FieldRuleInput(TypedDict):
    data: str
    """A member of `data`."""
    field: str
    """The key of a field of the workspace, or first_name, last_name, display_name, email, company, notes."""
    mode: Literal["overwrite", "if_empty"]
    """`overwrite` replaces the value of the contact; `if_empty` leaves one that it has."""


class CallSettingsInput(TypedDict):
    dispositions: list[DispositionInput]
    """How calls can end. Their keys differ."""
    field_rules: list[FieldRuleInput]
    """Which members of `data` are copied to fields of the contact. Each pair differs."""
    transcript_days: int | None
    """For how many days a transcript is kept. `null` turns transcripts off."""


class Turn(TypedDict):
    speaker: Literal["agent", "caller", "system"]
    text: str
    at: str | None
    """When the turn began, with its time zone; `null` if unknown."""


class Transcript(TypedDict):
    turns: list[Turn]
    expires_at: str
    """When it is deleted, by the call settings as they are now."""


class _TurnInput(TypedDict):
    speaker: Literal["agent", "caller", "system"]
    text: str


class TurnInput(_TurnInput, total=False):
    at: str | None
    """When the turn began, with its time zone; `null` if unknown."""


class TranscriptInput(TypedDict):
    turns: list[TurnInput]
    """What was said, in its order: at most 2000 turns. Send an empty array to erase the transcript."""


class StoredTranscript(TypedDict):
    expires_at: str | None
    """`null` if it was erased."""


class CallInstructions(TypedDict):
    sha256: str
    """The hash that the runtime reported."""
    text: str | None
    """`null` if no such text is stored for the contact."""


class _CallWithInstructions(TypedDict):
    id: str
    channel_id: str
    channel_name: str | None
    """`null` if the channel was deleted."""
    channel_kind: Literal["phone", "sms", "whatsapp", "web_chat"] | None
    contact_id: str | None
    contact_name: str | None
    """The display name, or else the first and last name."""
    agent_id: str | None
    agent_name: str | None
    agent_deleted: bool
    """Whether the agent was deleted."""
    version_id: str | None
    version_label: str | None
    type: Literal["call", "message"]
    direction: Literal["inbound", "outbound"]
    status: Literal["queued", "ringing", "in_progress", "completed", "busy", "no_answer", "canceled", "failed"]
    number: str | None
    provider_id: str
    started_at: str
    """When the call started."""
    ended_at: str | None
    seconds: int | None
    session_id: str | None
    """The session that pins the version and the contact; `null` if there was none."""
    disposition: str | None
    goals: dict[str, bool]
    """Whether each goal was reached."""
    ended_by: Literal["agent", "caller", "system"] | None
    cost: Cost | None
    recording_url: str | None
    summary: str | None
    text: str | None
    """The text of a message."""
    data: dict[str, Any]
    """What the conversation found out."""
    note: str | None
    """What the team has noted about the call."""
    tags: list[str]
    """The tags that the team has added, in their order."""


class CallWithInstructions(_CallWithInstructions, total=False):
    instructions: CallInstructions | None
    """Only with `include`; `null` if the runtime did not report them."""


class CallUpdate(TypedDict, total=False):
    note: str | None
    """What the team notes about the call; `null` or an empty text removes it."""
    tags: list[str]
    """Replaces all tags of the call. Duplicates are removed; the order is preserved. At most 50 different entries."""


class CampaignAgent(TypedDict):
    id: str
    name: str
    deleted: bool
    """Whether the agent was deleted."""


class Audience(TypedDict):
    segment_id: str
    mode: Literal["snapshot", "live"]


class EnrollmentCounts(TypedDict):
    pending: int
    in_progress: int
    completed: int
    failed: int
    blocked: int
    skipped: int


CallWindow = TypedDict("CallWindow", {
    "days": "list[Literal['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']]",
    "from": "str",
    "to": "str",
})


class _RetryRule(TypedDict):
    disposition: str
    """A disposition of the call settings."""
    action: Literal["retry", "complete", "fail"]
    """`retry` returns the contact to the queue, `complete` and `fail` set its status to `completed` and `failed`."""


class RetryRule(_RetryRule, total=False):
    after_minutes: int
    """With `retry`: when the contact is due again. By default immediately."""


class CampaignSchedule(TypedDict):
    campaign_id: str
    starts_at: str | None
    """When the campaign becomes active automatically. `null` or omitted: never."""
    ends_at: str | None
    """When it becomes finished automatically. `null` or omitted: never."""
    call_window: CallWindow | None
    max_attempts: int | None
    """How many times a contact is handed out. `null` or omitted: no limit."""
    min_retry_minutes: int | None
    """The minimum time between two attempts at a contact, in minutes. `null` or omitted: none."""
    retry_rules: list[RetryRule]
    """What a report with a `disposition` does, each disposition once. Omitted: no rules. `min_retry_minutes` and `max_attempts` still apply."""
    start_status: Literal["scheduled", "started", "no_deployed_version", "agent_deleted", "changed_manually", "end_passed"] | None
    """Whether the start is still to come (`scheduled`), and otherwise what happened: `started`, or why it did not: the agent had no deployed version or was deleted, the status was changed before, or the end had passed as well. `null` without a start."""
    time_zone: str
    """The time zone of the workspace. It counts for contacts whose number has no known time zone."""


class _ListedCampaign(TypedDict):
    id: str
    name: str
    agent: CampaignAgent
    status: Literal["draft", "active", "paused", "finished"]
    audience: Audience | None
    """The segment whose contacts are enrolled automatically."""
    enrolled: EnrollmentCounts
    created_at: str
    """When the campaign was created."""
    updated_at: str
    """When the campaign was last changed."""


class ListedCampaign(_ListedCampaign, total=False):
    schedule: CampaignSchedule


class AudienceChange(TypedDict):
    segment_id: str
    """A shared segment."""
    mode: Literal["snapshot", "live"]


class _CampaignCreate(TypedDict):
    name: str
    agent_id: str


class CampaignCreate(_CampaignCreate, total=False):
    status: Literal["draft", "active", "paused", "finished"]
    audience: AudienceChange | None
    """The segment whose contacts are enrolled in the background: those that match now (`snapshot`), or also those that come to match later (`live`). `null`: none. Contacts that are enrolled already remain. Also requires the scope `contacts:read`, and those of the filter."""
    id: Any
    """Set by the service. Ignored in a request."""
    agent: Any
    """Set by the service. Ignored in a request."""
    enrolled: Any
    """Set by the service. Ignored in a request."""
    created_at: Any
    """Set by the service. Ignored in a request."""
    updated_at: Any
    """Set by the service. Ignored in a request."""


class Campaign(TypedDict):
    id: str
    name: str
    agent: CampaignAgent
    status: Literal["draft", "active", "paused", "finished"]
    audience: Audience | None
    """The segment whose contacts are enrolled automatically."""
    enrolled: EnrollmentCounts
    created_at: str
    """When the campaign was created."""
    updated_at: str
    """When the campaign was last changed."""


class CampaignUpdate(TypedDict, total=False):
    name: str
    agent_id: str
    status: Literal["draft", "active", "paused", "finished"]
    audience: AudienceChange | None
    """The segment whose contacts are enrolled in the background: those that match now (`snapshot`), or also those that come to match later (`live`). `null`: none. Contacts that are enrolled already remain. Also requires the scope `contacts:read`, and those of the filter."""
    id: Any
    """Set by the service. Ignored in a request."""
    agent: Any
    """Set by the service. Ignored in a request."""
    enrolled: Any
    """Set by the service. Ignored in a request."""
    created_at: Any
    """Set by the service. Ignored in a request."""
    updated_at: Any
    """Set by the service. Ignored in a request."""


class CampaignDuplicate(TypedDict, total=False):
    name: str
    """The name of the copy. Default: that of the campaign."""


class CampaignDay(TypedDict):
    day: str
    """A day in the time zone of the workspace."""
    enrolled: int
    claimed: int
    completed: int
    failed: int


class OutcomeCounts(TypedDict):
    outcome: str | None
    """The outcome, as it was reported; `null` for all others: a campaign counts its first 50 by name."""
    pending: int
    in_progress: int
    completed: int
    failed: int
    blocked: int
    skipped: int


class MissingValueCount(TypedDict):
    name: str
    """A variable of the instructions."""
    contacts: int
    """How many contacts are blocked because they have no value for it."""


class LastClaim(TypedDict):
    at: str
    """The time of the claim."""
    key_name: str | None
    """The name of the API key; `null` if it was deleted, or if a user claimed."""


class CampaignProgress(TypedDict):
    time_zone: str
    days: list[CampaignDay]
    outcomes: list[OutcomeCounts]
    """The last reported outcomes of enrolled contacts by status, the most frequent first."""
    missing_values: list[MissingValueCount]
    """What blocked contacts lack, the most frequent first."""
    last_claim: LastClaim | None
    """When contacts were last claimed, as far as the audit log is kept; `null` if no one has claimed any."""
    window_opens_at: str | None
    """When the call window opens for the first contact in the queue; `null` if it is open for one, if no contact waits, or without a window."""


class StartCheckVersion(TypedDict):
    id: str
    version_label: str


class MissingValue(TypedDict):
    name: str
    """A variable of the deployed instructions."""
    contacts_without_value: int


class WouldBeBlocked(TypedDict):
    contact_id: str
    contact_name: str | None
    """The display name, or else the first and last name."""
    contact_phone_number: str
    holes: list[str]
    """The variables without a value."""


class StartCheckBlocked(TypedDict):
    count: int
    """How many contacts a claim with `render` would block."""
    is_complete: bool
    """Whether all contacts were checked. If not, there are at least `count`."""
    contacts: list[WouldBeBlocked]
    """The first 100 of them. `missing_values` counts all by what is missing."""


class CampaignStartCheck(TypedDict):
    ready: bool
    """Whether there is nothing to ask before the campaign starts."""
    deployed_version: StartCheckVersion | None
    """The agent's deployed version; `null` if there is none, or if the agent was deleted."""
    agent_deleted: bool
    enrolled: int
    pending: int
    missing_values: list[MissingValue]
    """The variables without a value and without a fallback for some of the enrolled contacts that are not done."""
    blocked: StartCheckBlocked
    unknown_variables: list[str]


class _EnrolledContact(TypedDict):
    contact_id: str


class EnrolledContact(_EnrolledContact, total=False):
    variables: dict[str, str | float | bool | None]


class EnrollmentCreate(TypedDict, total=False):
    contact_ids: list[str]
    """The ids of contacts. At most 1000 different entries."""
    contacts: list[EnrolledContact]
    """Contacts, each with variables of its own, which win over those of all."""
    tag: str
    """Everyone with exactly this tag."""
    search: str
    """Everyone who matches this search."""
    filter: ContactFilter | ContactFilterTree
    """Everyone who matches this filter of the list of contacts."""
    variables: dict[str, str | float | bool | None]
    """Values for the instructions, by name. They win over fields of the contact. A contact that is already enrolled keeps its own."""


class EnrollmentResult(TypedDict):
    enrolled: int
    already_enrolled: int
    not_found: list[str]


class EnrollmentReason(TypedDict):
    code: Literal["missing_values", "not_in_audience"]
    holes: list[str]
    """The variables of the instructions without a value."""


class Enrollment(TypedDict):
    campaign_id: str
    campaign_name: str
    campaign_status: Literal["draft", "active", "paused", "finished"]
    contact_id: str
    contact_name: str | None
    """The display name, or else the first and last name."""
    contact_phone_number: str
    status: Literal["pending", "in_progress", "completed", "failed", "blocked", "skipped"]
    """`blocked`: a value is missing. `skipped`: no longer in the audience. See `reason`."""
    reason: EnrollmentReason | None
    """Why the contact is blocked or skipped; `null` otherwise."""
    attempts: int
    """How many times the contact was claimed."""
    outcome: str | None
    """The last reported outcome."""
    retry_at: str | None
    """When a pending contact is due again; `null` if it is due now."""
    lease_expires_at: str | None
    """When the lease of the current claim expires; `null` without a lease."""
    last_attempt_at: str | None
    """When the contact was last claimed; `null` before the first time."""
    variables: dict[str, str | float | bool]
    enrolled_at: str
    """When the contact was enrolled."""
    updated_at: str
    """When the enrollment was last changed."""


class EnrollmentUpdate(TypedDict, total=False):
    status: Literal["pending", "in_progress", "completed", "failed"]
    """`pending` returns the contact to the queue. Every status but `in_progress` ends the lease."""
    disposition: str
    """Instead of `status`: how the call ended. The campaign's retry rule for it decides the status and the retry time; without one the request gets 400."""
    outcome: str | None
    """How the attempt went, in your own words or codes; `null` clears it. With `disposition` by default that."""
    retry_at: str
    """With status `pending`: when the contact is due again. By default immediately."""
    claim_id: str
    """The claim that you report on. If it is no longer the current one, the request gets 409 and changes nothing."""
    lease_seconds: int
    """With `claim_id`: extends the lease; it expires in this many seconds."""
    variables: dict[str, str | float | bool | None]
    """Changes these variables and keeps the others; `null` removes one. A blocked contact that has all missing values then returns to the queue within seconds."""


class ImpactVersion(TypedDict):
    id: str
    version_label: str
    deployment_status: str
    created_at: str


class ImpactDeployed(TypedDict):
    id: str
    version_label: str


class ImpactChannel(TypedDict):
    id: str
    kind: Literal["phone", "sms", "whatsapp", "web_chat"]
    name: str
    address: str


class ImpactCampaign(TypedDict):
    id: str
    name: str


class Difference(TypedDict):
    added: int
    """Number of added lines."""
    removed: int
    """Number of removed lines."""
    hunks: list[DiffHunk]
    """The changed regions, each with up to three unchanged lines around it. Lines count from 1."""
    unified: str
    """The same as a unified diff; empty if the texts are equal."""
    config: ConfigDiff


class ImpactVariable(TypedDict):
    name: str
    contacts_without_value: int


class UnknownVariable(TypedDict):
    placeholder: str
    """As written in the instructions."""
    suggestion: str | None
    """The variable that was probably meant."""


class DeployImpact(TypedDict):
    version: ImpactVersion
    deployed_version: ImpactDeployed | None
    channels: list[ImpactChannel]
    campaigns: list[ImpactCampaign]
    enrolled_contacts: int
    difference: Difference
    variables: list[ImpactVariable]
    """The contacts that are not done and have neither a value nor a fallback; at least so many unless `is_complete`."""
    is_complete: bool
    """Whether all enrolled contacts were checked for values."""
    unknown_variables: list[UnknownVariable]


class CampaignScheduleUpdate(TypedDict, total=False):
    starts_at: str | None
    """When the campaign becomes active automatically. `null` or omitted: never."""
    ends_at: str | None
    """When it becomes finished automatically. `null` or omitted: never."""
    call_window: CallWindow | None
    max_attempts: int | None
    """How many times a contact is handed out. `null` or omitted: no limit."""
    min_retry_minutes: int | None
    """The minimum time between two attempts at a contact, in minutes. `null` or omitted: none."""
    retry_rules: list[RetryRule]
    """What a report with a `disposition` does, each disposition once. Omitted: no rules. `min_retry_minutes` and `max_attempts` still apply."""
    campaign_id: Any
    """Set by the service. Ignored in a request."""
    start_status: Any
    """Set by the service. Ignored in a request."""
    time_zone: Any
    """Set by the service. Ignored in a request."""


class ClaimCreate(TypedDict, total=False):
    limit: int
    """At most this many contacts."""
    lease_seconds: int
    """How long the contacts are reserved for you."""
    render: bool
    """Whether each claim has the instructions with the values of its contact. A contact without a needed value is blocked instead of handed out."""


class ClaimedCampaign(TypedDict):
    id: str
    status: Literal["draft", "active", "paused", "finished"]
    """Only an active campaign hands out contacts."""


class ClaimAgent(TypedDict):
    id: str
    name: str


class ClaimVersion(TypedDict):
    id: str
    version_label: str
    instructions: str


class _Claim(TypedDict):
    claim_id: str
    """Identifies this claim when you report on it."""
    lease_expires_at: str
    """When the contact is due again, unless you report or extend the lease."""
    attempt: int
    """How many times the contact was claimed, including this one."""
    contact: ContactWithCrmIds


class Claim(_Claim, total=False):
    version: RenderedVersion
    instructions: str
    """With `render`: the instructions for this contact."""
    sha256: str
    """With `render`: the hash of `instructions`, in hexadecimal digits. Send it with the call."""


class _ClaimedContacts(TypedDict):
    campaign: ClaimedCampaign
    agent: ClaimAgent
    version: ClaimVersion | None
    """The agent's deployed version; `null` if no contact was claimed."""
    claims: list[Claim]


class ClaimedContacts(_ClaimedContacts, total=False):
    config: dict[str, Any] | None
    """Only with `render`: the config of the version, as it was sent; `null` if no contact was claimed."""


class ImportColumn(TypedDict):
    name: str
    samples: list[str]
    """The first cells that are not empty. Not included in the list of imports."""
    field: str | None
    certainty: Literal["name", "content", "hand"] | None
    """What determined the field; `hand` is a choice of the user, also to ignore the column."""
    creates: FieldCreate | None
    """The contact field that applying the import creates."""
    suggestion: FieldCreate | None
    """The contact field that could be created from the column, with the type of its first cells. Send it in `create_fields`."""


class ImportPreviewLine(TypedDict):
    line: int
    cells: list[str]


class ImportBeginning(TypedDict):
    encoding: Literal["utf-8", "utf-16le", "utf-16be", "windows-1252", "windows-1250", "windows-1251", "windows-1253", "windows-1254", "windows-1255", "windows-1256", "windows-1257", "windows-1258", "windows-874", "iso-8859-2", "iso-8859-5", "koi8-r", "koi8-u", "ibm866", "macintosh", "shift_jis", "euc-jp", "gb18030", "big5", "euc-kr"]
    encoding_source: Literal["detected", "guessed", "chosen"]
    """`guessed` if another encoding fits nearly as well."""
    delimiter: Literal[",", ";", "\t", "|"]
    header_row: int | None
    sheet: str | None
    sheets: list[str]
    """All sheets of an Excel workbook."""
    columns: list[ImportColumn]
    preview: list[ImportPreviewLine]
    """The first lines of the file."""


Country: TypeAlias = "str"


class ImportOptions(TypedDict):
    country: Country | None
    legacy: bool
    """Whether numbers without an international form are stored as they are written. Default: no."""
    on_existing: Literal["skip", "fill", "overwrite"]
    """Whether a row skips an existing contact, fills its empty fields (default), or overwrites its fields."""
    tags: Literal["merge", "replace"]
    """Whether the tags of a row are added to those of an existing contact (default), or replace them."""
    on_invalid: Literal["omit_field", "reject_row"]
    """Whether an invalid optional cell is left out with a warning (default), or its row is rejected."""
    on_invalid_email: Literal["omit_field", "reject_row"] | None
    """As `on_invalid`, for email addresses only."""
    on_duplicate: Literal["first", "last", "fill"]
    """Of several rows with one number: imports the first (default), the last, or the first with the values that only later rows have."""
    crm: str | None
    """The name of the CRM whose ids are in the column that is mapped to `crm_ids`."""
    campaign_id: str | None
    """The campaign in which applying the import enrolls the contacts of its rows, each once, with the columns that are mapped to `variables.<name>`. Also requires the scope `campaigns:write`, and to apply it `contacts:read`."""


class ImportFile(TypedDict):
    encoding: Literal["utf-8", "utf-16le", "utf-16be", "windows-1252", "windows-1250", "windows-1251", "windows-1253", "windows-1254", "windows-1255", "windows-1256", "windows-1257", "windows-1258", "windows-874", "iso-8859-2", "iso-8859-5", "koi8-r", "koi8-u", "ibm866", "macintosh", "shift_jis", "euc-jp", "gb18030", "big5", "euc-kr"]
    encoding_source: Literal["detected", "guessed", "chosen"]
    """`guessed` if another encoding fits nearly as well."""
    delimiter: Literal[",", ";", "\t", "|"]
    header_row: int | None
    sheet: str | None


class Import(TypedDict):
    id: str
    name: str
    state: Literal["planning", "planned", "applying", "applied", "undoing", "undone", "deleting"]
    options: ImportOptions
    columns: list[ImportColumn]
    file: ImportFile | None
    """`null` for imports that are older than this field."""
    totals: dict[str, int]
    """Row counts by verdict or, once applied, by effect, and `with_warnings`; `enrolled` contacts and, after an undo, `unenrolled` and `still_enrolled` ones."""
    progress: int
    """How many rows are processed."""
    rows: int
    created_by: str
    created_by_email: str | None
    created_at: str
    """When the file was uploaded."""
    applied_at: str | None
    undo_until: str | None


class ReplanImportRequest(TypedDict, total=False):
    country: Country | None
    legacy: bool
    """Whether numbers without an international form are stored as they are written. Default: no."""
    on_existing: Literal["skip", "fill", "overwrite"]
    """Whether a row skips an existing contact, fills its empty fields (default), or overwrites its fields."""
    tags: Literal["merge", "replace"]
    """Whether the tags of a row are added to those of an existing contact (default), or replace them."""
    on_invalid: Literal["omit_field", "reject_row"]
    """Whether an invalid optional cell is left out with a warning (default), or its row is rejected."""
    on_invalid_email: Literal["omit_field", "reject_row"] | None
    """As `on_invalid`, for email addresses only."""
    on_duplicate: Literal["first", "last", "fill"]
    """Of several rows with one number: imports the first (default), the last, or the first with the values that only later rows have."""
    crm: str | None
    """The name of the CRM whose ids are in the column that is mapped to `crm_ids`."""
    campaign_id: str | None
    """The campaign in which applying the import enrolls the contacts of its rows, each once, with the columns that are mapped to `variables.<name>`. Also requires the scope `campaigns:write`, and to apply it `contacts:read`."""
    mapping: dict[str, str | None]
    create_fields: dict[str, FieldCreate]
    """Contact fields to create from columns, by zero-based index or name, when the import is applied. Requires the scope `admin`, or an owner."""
    header_row: int
    """A line below the current header row that becomes the header row. The rows up to it are removed, and the columns are matched again."""


class ImportWarning(TypedDict):
    field: str
    message: str


class ImportChange(TypedDict):
    field: str
    before: str | None
    after: str | None
    added: list[str]
    """Tags that the row adds."""
    removed: list[str]
    """Tags that the row removes."""


class _ImportRow(TypedDict):
    number: int
    line: int
    cells: list[str] | None
    """Long cells end with `…`. The last cells of a very long row are omitted."""
    verdict: Literal["create", "update", "unchanged", "duplicate_in_file", "invalid"]
    field: str | None
    reason: str | None
    warnings: list[ImportWarning]
    """Cells that are not imported, and why."""
    effect: Literal["created", "updated", "none", "removed", "restored", "edited_since"] | None
    contact_id: str | None


class ImportRow(_ImportRow, total=False):
    normalized_phone: str | None
    changes: list[ImportChange]
    """What the row changes in an existing contact; only with `include=changes`."""


class ImportHeaderRow(TypedDict):
    line: int
    names: list[str]


class ImportReason(TypedDict):
    reason: Literal["country_missing", "country_mismatch", "country_ambiguous", "phone_too_short", "digits_lost", "phone_missing", "phone_invalid", "email_invalid", "tags_invalid", "value_invalid", "crm_id_invalid", "crm_id_conflict", "duplicate_in_file"]
    count: int
    """The number of rows."""
    rejected: bool
    """Whether the rows are skipped, not imported without the invalid cell."""
    field: str | None
    line: int
    """The line of the first such row."""
    message: str
    """The reason of the first such row."""


class ImportReasons(TypedDict):
    header_row: ImportHeaderRow | None
    """A row that looks like the header row, if it is not read as such."""
    reasons: list[ImportReason]
    """The most frequent reason first. A row with several problems counts for its first one."""


class ImportUndo(TypedDict):
    removed: int
    """Created contacts that would be deleted."""
    restored: int
    """Updated contacts that would get their previous values back."""
    edited_by_you: int
    """Contacts that would stay as they are, because only the caller changed them."""
    edited_by_others: int
    """The same, changed by others."""
    claimed: int
    """Contacts that the import created and that would stay as they are, because their enrollments would stay."""
    deleted: int
    """Contacts that were deleted since."""
    unenrolled: int
    """Enrollments of this import that would be removed."""
    still_enrolled: int
    """Enrollments of this import that would stay, because someone has claimed or changed them. Contacts that the import created stay with them."""


class Integration(TypedDict):
    id: str
    name: str
    old_secret_expires_at: str | None
    created_at: str
    """When the integration was created."""


class IntegrationUpdate(TypedDict):
    name: str


class IntegrationCreate(TypedDict):
    name: str


class CreatedIntegration(TypedDict):
    id: str
    name: str
    old_secret_expires_at: str | None
    created_at: str
    """When the integration was created."""
    secret: str
    """Shown only once."""


class RotateIntegrationSecretRequest(TypedDict, total=False):
    grace_hours: int
    replace_new: bool
    """While an old secret is still accepted, replaces the new secret, for example because it was lost. The old one remains accepted."""


class Key(TypedDict):
    id: str
    name: str
    scope: Literal["read", "read_write", "custom"]
    """`custom` if the key was created with a list of scopes."""
    scopes: list[Literal["contacts:read", "contacts:write", "agents:read", "agents:write", "agents:deploy", "channels:read", "channels:write", "calls:read", "campaigns:read", "campaigns:write", "imports:write", "events:read", "audit:read", "admin", "calls:write", "contacts:merge"]]
    """What the key may do."""
    created_at: str
    """When the key was created."""
    expires_at: str | None
    """When the key expires."""
    rate_limit: str | None
    """Requests per interval, such as `600/1m`; units are s, m and h."""
    revoked_at: str | None
    """When the key was revoked."""
    last_used_at: str | None
    """When the key was last used."""


class _KeyCreate(TypedDict):
    name: str


class KeyCreate(_KeyCreate, total=False):
    scope: Literal["read", "read_write"]
    scopes: list[Literal["contacts:read", "contacts:write", "agents:read", "agents:write", "agents:deploy", "channels:read", "channels:write", "calls:read", "campaigns:read", "campaigns:write", "imports:write", "events:read", "audit:read", "admin", "calls:write", "contacts:merge"]]
    """Instead of `scope`."""
    expires_at: str | None
    """A time with its time zone."""
    rate_limit: str | None
    """Requests per interval, such as `600/1m`; units are s, m and h."""


class CreatedKey(TypedDict):
    id: str
    name: str
    scope: Literal["read", "read_write", "custom"]
    """`custom` if the key was created with a list of scopes."""
    scopes: list[Literal["contacts:read", "contacts:write", "agents:read", "agents:write", "agents:deploy", "channels:read", "channels:write", "calls:read", "campaigns:read", "campaigns:write", "imports:write", "events:read", "audit:read", "admin", "calls:write", "contacts:merge"]]
    """What the key may do."""
    created_at: str
    """When the key was created."""
    expires_at: str | None
    """When the key expires."""
    rate_limit: str | None
    """Requests per interval, such as `600/1m`; units are s, m and h."""
    revoked_at: str | None
    """When the key was revoked."""
    last_used_at: str | None
    """When the key was last used."""
    key: str
    """The key itself. It is returned only here."""


class User(TypedDict):
    id: str
    """The id of the user."""
    email: str
    role: Literal["owner", "member"]
    created_at: str
    """When the user was added."""


class _UserInvite(TypedDict):
    email: str


class UserInvite(_UserInvite, total=False):
    role: Literal["owner", "member"]


class SignInLink(TypedDict):
    url_path: str
    """Path of the link, relative to the dashboard's origin. It is returned only here and works once."""
    expires_at: str
    """When the link expires."""


class CreatedUser(TypedDict):
    id: str
    """The id of the user."""
    email: str
    role: Literal["owner", "member"]
    created_at: str
    """When the user was added."""
    link: SignInLink | None
    """`null` if a password was given."""


class UserUpdate(TypedDict):
    role: Literal["owner", "member"]


class Settings(TypedDict):
    name: str
    default_country: str | None
    """Default country for phone numbers without a country code."""
    time_zone: str
    """The IANA time zone of the days and schedules of the workspace. `UTC` until an owner chooses one."""
    time_zone_chosen: bool
    """Whether an owner has chosen the time zone."""


TimeZone: TypeAlias = "str"


class SettingsUpdate(TypedDict, total=False):
    default_country: Country | None
    time_zone: TimeZone


class AuditActor(TypedDict):
    kind: Literal["key", "user", "channel", "integration", "webhook", "environment", "command line", "start", "schedule", "audience", "unknown"]
    id: str | None
    """The id of a key, user, channel, integration or webhook."""
    name: str | None
    """The current name; `null` if it was deleted, has no name, or the key may not see it."""
    deleted: bool
    """Whether it was deleted."""


class AuditedRecord(TypedDict):
    id: str
    name: str | None
    """The current name; `null` if it was deleted, has no name, or the key may not see it."""
    deleted: bool
    """Whether it was deleted."""


class AuditEntry(TypedDict):
    at: str
    """When the change was made. Entries are listed in the order of the changes, even if the clock was set back."""
    actor: AuditActor
    action: Literal["contact.created", "contact.updated", "contact.deleted", "contact.merged", "contact.unmerged", "agent.created", "agent.updated", "agent.deployed", "agent.deleted", "version.created", "channel.created", "channel.updated", "channel.deleted", "call.recorded", "call.updated", "campaign.created", "campaign.updated", "campaign.deleted", "enrollment.created", "enrollment.updated", "enrollment.deleted", "import.created", "import.updated", "import.deleted", "webhook.disabled", "webhook.test", "contact.exported", "channel.connected", "channel.disconnected", "channel.secret_rotated", "channel.old_secret_revoked", "enrollment.claimed", "import.applied", "import.undone", "integration.created", "integration.updated", "integration.secret_rotated", "integration.old_secret_revoked", "integration.deleted", "webhook.created", "webhook.updated", "webhook.secret_rotated", "webhook.old_secret_revoked", "webhook.replayed", "webhook.replay_canceled", "webhook.deleted", "field.created", "field.updated", "field.deleted", "segment.created", "segment.updated", "segment.deleted", "view.created", "view.updated", "view.deleted", "bulk_job.canceled", "bulk_job.undone", "duplicate.dismissed", "duplicate.restored", "key.created", "key.revoked", "user.created", "user.updated", "user.deleted", "link.created", "session.created", "session.deleted", "session.refused", "settings.updated", "workspace.created"]
    subject: AuditedRecord | None
    """The changed record; `null` for several records or the workspace itself."""
    parent: AuditedRecord | None
    """The agent of a version, or the campaign of an enrollment."""
    fields: list[str] | None
    """The names of the changed fields."""
    changes: ChangedValues | None
    """The values of settings. Never secrets and what is stored about contacts. `null` if none were recorded, or the key may not see the name of the record."""
    counts: dict[str, int] | None
    """The number of records, if there were several."""
    request_id: str | None
    """The id of the request; `null` for the command line and the start of the service."""
    via: Literal["mcp"] | None
    """`mcp` for a change through the MCP server."""


class Event(TypedDict):
    id: str
    """Ids of a workspace sort in the order of the log. A repeated delivery has the same id."""
    type: Literal["contact.created", "contact.updated", "contact.deleted", "contact.merged", "contact.unmerged", "agent.created", "agent.updated", "agent.deployed", "agent.deleted", "version.created", "channel.created", "channel.updated", "channel.deleted", "call.recorded", "call.updated", "campaign.created", "campaign.updated", "campaign.deleted", "enrollment.created", "enrollment.updated", "enrollment.deleted", "import.created", "import.updated", "import.deleted", "webhook.disabled", "webhook.test"]
    timestamp: str
    """When the change was made."""
    workspace_id: int
    subject_id: str
    """The changed record; the contact for an enrollment."""
    contact_id: str | None
    """The contact that the change is about."""
    agent_id: str | None
    """The agent that the change is about."""
    campaign_id: str | None
    """The campaign that the change is about."""
    actor: str
    """The id of the API key, user, channel, integration or import that made the change."""
    request_id: str | None
    """The id of the request; `null` for background work and the command line."""
    changed: list[str] | None
    """The names of the changed fields of an update."""
    data: dict[str, Any] | None
    """The record after the change, as the API shows it. `null` after a delete, in the thin form, and if the contact was deleted since."""


class EventPage(TypedDict):
    events: list[Event]
    after: str | None
    """Send it as `after` to get the next events; `null` if there are no events yet."""
    has_more: bool
    """Whether more events are available now."""


class WebhookReplayProgress(TypedDict):
    remaining: int
    """How many events of the log remain to be examined."""


class Webhook(TypedDict):
    id: str
    url: str
    """Where the events are sent. It must be an https URL with a public address."""
    description: str | None
    types: list[Literal["contact.created", "contact.updated", "contact.deleted", "contact.merged", "contact.unmerged", "agent.created", "agent.updated", "agent.deployed", "agent.deleted", "version.created", "channel.created", "channel.updated", "channel.deleted", "call.recorded", "call.updated", "campaign.created", "campaign.updated", "campaign.deleted", "enrollment.created", "enrollment.updated", "enrollment.deleted", "import.created", "import.updated", "import.deleted", "webhook.disabled"]] | None
    """The types of the events to send; `null` for all."""
    tag: str | None
    """Only events of contacts with this tag, changes of the tags of a contact, and deletes of contacts."""
    agent_id: str | None
    """Only events that are about this agent."""
    campaign_id: str | None
    """Only events that are about this campaign."""
    payload: Literal["snapshot", "thin"]
    """`thin` leaves out the snapshot of the record in `data`."""
    include: list[Literal["fields"]]
    """`[\"fields\"]` adds the contact's values of fields, as they are when the event is sent, to `data` of its events; this requires `contacts:read`. Default: none."""
    ordered: bool
    """Whether an event is sent only after all earlier events of the same record were delivered or have finally failed."""
    max_concurrency: int
    """The number of requests at the same time, from each instance of the service. Default: 10."""
    rate_per_second: int | None
    """The number of requests per second; `null` for no limit."""
    status: Literal["active", "paused", "disabled"]
    """`paused` keeps the events until it is `active` again. Only the service sets `disabled`."""
    disabled_reason: str | None
    """Why the service disabled the endpoint."""
    old_secret_expires_at: str | None
    created_at: str
    """When the endpoint was created."""
    updated_at: str
    """When the endpoint was last changed."""
    failing_since: str | None
    last_delivery_at: str | None
    pending_deliveries: int
    """Events that are being sent or wait for a retry."""
    failed_deliveries: int
    """Events whose last attempt has failed. At most 1,000 are counted."""
    replay: WebhookReplayProgress | None


class WebhookUpdate(TypedDict, total=False):
    url: str
    """Where the events are sent. It must be an https URL with a public address."""
    description: str | None
    types: list[Literal["contact.created", "contact.updated", "contact.deleted", "contact.merged", "contact.unmerged", "agent.created", "agent.updated", "agent.deployed", "agent.deleted", "version.created", "channel.created", "channel.updated", "channel.deleted", "call.recorded", "call.updated", "campaign.created", "campaign.updated", "campaign.deleted", "enrollment.created", "enrollment.updated", "enrollment.deleted", "import.created", "import.updated", "import.deleted", "webhook.disabled"]] | None
    """The types of the events to send; `null` for all."""
    tag: str | None
    """Only events of contacts with this tag, changes of the tags of a contact, and deletes of contacts."""
    agent_id: str | None
    """Only events that are about this agent."""
    campaign_id: str | None
    """Only events that are about this campaign."""
    payload: Literal["snapshot", "thin"]
    """`thin` leaves out the snapshot of the record in `data`."""
    include: list[Literal["fields"]]
    """`[\"fields\"]` adds the contact's values of fields, as they are when the event is sent, to `data` of its events; this requires `contacts:read`. Default: none."""
    ordered: bool
    """Whether an event is sent only after all earlier events of the same record were delivered or have finally failed."""
    max_concurrency: int
    """The number of requests at the same time, from each instance of the service. Default: 10."""
    rate_per_second: int | None
    """The number of requests per second; `null` for no limit."""
    status: Literal["active", "paused", "disabled"]
    """`paused` keeps the events until it is `active` again. Only the service sets `disabled`."""
    id: Any
    """Set by the service. Ignored in a request."""
    disabled_reason: Any
    """Set by the service. Ignored in a request."""
    old_secret_expires_at: Any
    """Set by the service. Ignored in a request."""
    created_at: Any
    """Set by the service. Ignored in a request."""
    updated_at: Any
    """Set by the service. Ignored in a request."""
    failing_since: Any
    """Set by the service. Ignored in a request."""
    last_delivery_at: Any
    """Set by the service. Ignored in a request."""
    pending_deliveries: Any
    """Set by the service. Ignored in a request."""
    failed_deliveries: Any
    """Set by the service. Ignored in a request."""
    replay: Any
    """Set by the service. Ignored in a request."""


class _WebhookCreate(TypedDict):
    url: str
    """Where the events are sent. It must be an https URL with a public address."""


class WebhookCreate(_WebhookCreate, total=False):
    description: str | None
    types: list[Literal["contact.created", "contact.updated", "contact.deleted", "contact.merged", "contact.unmerged", "agent.created", "agent.updated", "agent.deployed", "agent.deleted", "version.created", "channel.created", "channel.updated", "channel.deleted", "call.recorded", "call.updated", "campaign.created", "campaign.updated", "campaign.deleted", "enrollment.created", "enrollment.updated", "enrollment.deleted", "import.created", "import.updated", "import.deleted", "webhook.disabled"]] | None
    """The types of the events to send; `null` for all."""
    tag: str | None
    """Only events of contacts with this tag, changes of the tags of a contact, and deletes of contacts."""
    agent_id: str | None
    """Only events that are about this agent."""
    campaign_id: str | None
    """Only events that are about this campaign."""
    payload: Literal["snapshot", "thin"]
    """`thin` leaves out the snapshot of the record in `data`."""
    include: list[Literal["fields"]]
    """`[\"fields\"]` adds the contact's values of fields, as they are when the event is sent, to `data` of its events; this requires `contacts:read`. Default: none."""
    ordered: bool
    """Whether an event is sent only after all earlier events of the same record were delivered or have finally failed."""
    max_concurrency: int
    """The number of requests at the same time, from each instance of the service. Default: 10."""
    rate_per_second: int | None
    """The number of requests per second; `null` for no limit."""
    status: Literal["active", "paused", "disabled"]
    """`paused` keeps the events until it is `active` again. Only the service sets `disabled`."""
    id: Any
    """Set by the service. Ignored in a request."""
    disabled_reason: Any
    """Set by the service. Ignored in a request."""
    old_secret_expires_at: Any
    """Set by the service. Ignored in a request."""
    created_at: Any
    """Set by the service. Ignored in a request."""
    updated_at: Any
    """Set by the service. Ignored in a request."""
    failing_since: Any
    """Set by the service. Ignored in a request."""
    last_delivery_at: Any
    """Set by the service. Ignored in a request."""
    pending_deliveries: Any
    """Set by the service. Ignored in a request."""
    failed_deliveries: Any
    """Set by the service. Ignored in a request."""
    replay: Any
    """Set by the service. Ignored in a request."""


class CreatedWebhook(TypedDict):
    id: str
    url: str
    """Where the events are sent. It must be an https URL with a public address."""
    description: str | None
    types: list[Literal["contact.created", "contact.updated", "contact.deleted", "contact.merged", "contact.unmerged", "agent.created", "agent.updated", "agent.deployed", "agent.deleted", "version.created", "channel.created", "channel.updated", "channel.deleted", "call.recorded", "call.updated", "campaign.created", "campaign.updated", "campaign.deleted", "enrollment.created", "enrollment.updated", "enrollment.deleted", "import.created", "import.updated", "import.deleted", "webhook.disabled"]] | None
    """The types of the events to send; `null` for all."""
    tag: str | None
    """Only events of contacts with this tag, changes of the tags of a contact, and deletes of contacts."""
    agent_id: str | None
    """Only events that are about this agent."""
    campaign_id: str | None
    """Only events that are about this campaign."""
    payload: Literal["snapshot", "thin"]
    """`thin` leaves out the snapshot of the record in `data`."""
    include: list[Literal["fields"]]
    """`[\"fields\"]` adds the contact's values of fields, as they are when the event is sent, to `data` of its events; this requires `contacts:read`. Default: none."""
    ordered: bool
    """Whether an event is sent only after all earlier events of the same record were delivered or have finally failed."""
    max_concurrency: int
    """The number of requests at the same time, from each instance of the service. Default: 10."""
    rate_per_second: int | None
    """The number of requests per second; `null` for no limit."""
    status: Literal["active", "paused", "disabled"]
    """`paused` keeps the events until it is `active` again. Only the service sets `disabled`."""
    disabled_reason: str | None
    """Why the service disabled the endpoint."""
    old_secret_expires_at: str | None
    created_at: str
    """When the endpoint was created."""
    updated_at: str
    """When the endpoint was last changed."""
    failing_since: str | None
    last_delivery_at: str | None
    pending_deliveries: int
    """Events that are being sent or wait for a retry."""
    failed_deliveries: int
    """Events whose last attempt has failed. At most 1,000 are counted."""
    replay: WebhookReplayProgress | None
    secret: str
    """Signs the events. Shown only once."""


class RotateWebhookSecretRequest(TypedDict, total=False):
    grace_hours: int
    replace_new: bool
    """While an old secret is still accepted, replaces the new secret, for example because it was lost. The old one remains accepted."""


class WebhookAttempt(TypedDict):
    number: int
    """Identifies the attempt. A later attempt has a higher number."""
    event_id: str
    event_type: str
    attempt: int
    """1 for the first attempt to deliver the event."""
    at: str
    """When the request was sent."""
    duration_ms: int
    result: Literal["delivered", "failed", "gone"]
    status: int | None
    """The status of the response, if there was one."""
    error: str | None
    """Why the attempt has failed."""


class WebhookAttemptPage(TypedDict):
    attempts: list[WebhookAttempt]
    has_more: bool
    """Whether there are earlier attempts."""


class WebhookAttemptRequest(TypedDict):
    headers: dict[str, str]
    body: str | None
    """Made from the event again, so it has no data of a contact that was deleted since. `null` if the event has expired."""


class WebhookAttemptResponse(TypedDict):
    status: int
    body: str
    """The first KB."""


class WebhookAttemptDetails(TypedDict):
    number: int
    """Identifies the attempt. A later attempt has a higher number."""
    event_id: str
    event_type: str
    attempt: int
    """1 for the first attempt to deliver the event."""
    at: str
    """When the request was sent."""
    duration_ms: int
    result: Literal["delivered", "failed", "gone"]
    status: int | None
    """The status of the response, if there was one."""
    error: str | None
    """Why the attempt has failed."""
    request: WebhookAttemptRequest
    response: WebhookAttemptResponse | None


class WebhookReplayOfEvent(TypedDict):
    event_id: str
    """Sends this event again, even if the types or filters of the endpoint exclude it."""


class _WebhookReplayOfRange(TypedDict):
    since: str
    """Sends all events from this time on, included, again."""


class WebhookReplayOfRange(_WebhookReplayOfRange, total=False):
    until: str
    """The end of the range, included. Default: now."""


class WebhookReplayOfFailed(TypedDict):
    failed: Literal[True]
    """Sends all events again whose last attempt has failed."""


WebhookReplayCreate: TypeAlias = "WebhookReplayOfEvent | WebhookReplayOfRange | WebhookReplayOfFailed"


class WebhookReplay(TypedDict):
    events: int
    """How many events are sent again. For a range of time, those that the filters exclude are included."""


class _ChannelAgentFull(TypedDict):
    agent_id: str
    version_id: str
    version_label: str
    instructions: str
    """As they are written, with placeholders."""
    config_sha256: str
    """The SHA-256 of the canonical form (RFC 8785) of `config`, in hexadecimal digits."""
    config: dict[str, Any]
    """As it was sent, byte for byte; `{}` if there is none."""


class ChannelAgentFull(_ChannelAgentFull, total=False):
    contact: ContactWithCrmIds | None
    """Only with `number`: the contact, with its fields; `null` if the number is no contact."""
    rendered: str
    """Only with `number`: the instructions with the values of the contact."""
    sha256: str
    """The SHA-256 of the text in UTF-8, in hexadecimal digits."""
    holes: list[str]
    """Known names without a value and without a fallback. They are empty in the text."""


class UserIdentity(TypedDict):
    """Who the other party is, for a person whose number is unknown. With a number, its contact gets this identity."""
    kind: Literal["whatsapp_user", "email_address", "external"]
    value: str
    """By kind: a number in E.164, an opaque business-scoped user id of WhatsApp (at most 128 characters), an email address, which is stored in lower case, or any id of another system."""


class CallCost(TypedDict):
    amount: float
    currency: str


class _CallEvent(TypedDict):
    type: Literal["call", "message"]
    provider_id: str
    direction: Literal["inbound", "outbound"]


class CallEvent(_CallEvent, total=False):
    number: str
    """The other party's number. Required without `user`."""
    user: UserIdentity
    status: Literal["queued", "ringing", "in_progress", "completed", "busy", "no_answer", "canceled", "failed"]
    started_at: str
    """A time with its time zone."""
    ended_at: str
    """A time with its time zone."""
    seconds: int
    instructions_sha256: str
    """The SHA-256 of the rendered instructions that the runtime uses, as Roster returned it."""
    session_id: str
    """The session of the call, as Roster returned it."""
    disposition: str
    """How the call ended, one of the dispositions of the call settings."""
    goals: dict[str, bool]
    """The goals that were reached (`true`) or missed (`false`), at most 20 for a call."""
    data: dict[str, Any]
    """What the conversation found out, at most 16384 bytes as JSON for a call."""
    summary: str
    ended_by: Literal["agent", "caller", "system"]
    """Who ended the conversation."""
    recording_url: str
    """Where the recording is. Roster only stores the address."""
    cost: CallCost
    text: str
    """The text of a message, not of a call."""


class SkippedField(TypedDict):
    field: str
    message: str


class _RecordedCall(TypedDict):
    id: str
    """The id of the call."""
    contact_id: str | None
    """`null` if the event has no usable number."""
    effect: Literal["recorded", "updated", "none"]


class RecordedCall(_RecordedCall, total=False):
    skipped_fields: list[SkippedField]
    """Fields of the contact that a rule of the call settings could not write, and why; missing if there are none."""


class _SessionCreate(TypedDict):
    provider_id: str
    """The provider's id of the call, as in its events."""
    direction: Literal["inbound", "outbound"]


class SessionCreate(_SessionCreate, total=False):
    number: str | None
    """The other party's number, in any format. If it is missing, `null`, empty or not a phone number, the session has no contact."""
    user: UserIdentity
    variables: dict[str, str | float | bool | None]
    """Values by name for the placeholders of the instructions; at most 8,192 bytes as JSON."""


class SessionVersion(TypedDict):
    id: str
    version_label: str


class RecentCall(TypedDict):
    id: str
    type: Literal["call", "message"]
    direction: Literal["inbound", "outbound"]
    status: Literal["queued", "ringing", "in_progress", "completed", "busy", "no_answer", "canceled", "failed"]
    started_at: str
    """When the call started."""
    seconds: int | None
    disposition: str | None
    summary: str | None


class Session(TypedDict):
    session_id: str
    """Send it in the call's events."""
    contact: ContactWithCrmIds | None
    """The contact, with its fields; `null` for an unknown outbound number, and for one that is withheld or invalid."""
    agent_id: str
    version: SessionVersion
    instructions: str
    """Rendered: with the values of the contact and of `variables`."""
    sha256: str
    """The SHA-256 of the text in UTF-8, in hexadecimal digits."""
    holes: list[str]
    """Known names without a value and without a fallback. They are empty in the text."""
    config: dict[str, Any]
    """The version's configuration, as it was sent."""
    variables: dict[str, str | float | bool]
    """As they were sent, without those that are `null`."""
    recent: list[RecentCall]
    """The contact's last three calls and messages, newest first."""
    degraded: bool
    """Whether the session was started without the database: it has no personal data and is not stored."""


class _WebhookContact(TypedDict):
    phone_number: str
    """E.164: + and the country code, 7 to 15 digits in total. Unique in the workspace."""


class WebhookContact(_WebhookContact, total=False):
    first_name: str | None
    """Given name."""
    last_name: str | None
    """Family name."""
    display_name: str | None
    """How the contact wants to be addressed."""
    email: str | None
    """An email address."""
    company: str | None
    """The company that the contact works for."""
    notes: str | None
    """Internal notes for the team."""
    tags: list[str]
    """Replaces all tags. Duplicates are removed; the order is preserved. At most 50 different entries."""
    fields: dict[str, str | float | bool | None]
    """Values of the workspace's fields by key. Other fields stay as they are; `null` clears one."""
    crm_ids: dict[str, str | None]
    id: Any
    """Set by the service. Ignored in a request."""
    source: Any
    """Set by the service. Ignored in a request."""
    first_contact_at: Any
    """Set by the service. Ignored in a request."""
    last_contact_at: Any
    """Set by the service. Ignored in a request."""
    created_at: Any
    """Set by the service. Ignored in a request."""
    updated_at: Any
    """Set by the service. Ignored in a request."""


class ReceivedContact(TypedDict):
    action: Literal["created", "updated"]
    contact: ContactWithCrmIds
