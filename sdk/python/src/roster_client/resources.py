# Generated from docs/openapi.json by build/sdk/python.ts.
# mypy: no-warn-return-any
"""The methods of the API."""

from __future__ import annotations

from typing import Any, Literal, Mapping, Sequence

import httpx

from .lists import BY_CURSOR, BY_OFFSET, WHOLE, AsyncRecordList, Paging, RecordList
from .request import Request, RequestOptions, Upload, encoded
from .schemas import (
    ActiveVersion,
    Agent,
    AgentCreate,
    AgentDuplicate,
    AgentUpdate,
    AgentVariables,
    AgentVariablesInput,
    AuditEntry,
    BulkJob,
    BulkJobCreate,
    BulkJobReceipt,
    Call,
    CallSettings,
    CallSettingsInput,
    CallStatistics,
    CallTag,
    CallUpdate,
    CallWithInstructions,
    Campaign,
    CampaignCreate,
    CampaignDuplicate,
    CampaignProgress,
    CampaignSchedule,
    CampaignScheduleUpdate,
    CampaignStartCheck,
    CampaignUpdate,
    Channel,
    ChannelAgentUpdate,
    ChannelCreate,
    ChannelUpdate,
    Claim,
    ClaimCreate,
    ClaimedContacts,
    ConfigSchema,
    ConfigSchemaInput,
    Contact,
    ContactBatch,
    ContactBatchRequest,
    ContactCreate,
    ContactFilterTree,
    ContactUpdate,
    ContactWithCrmIds,
    Country,
    CreatedChannel,
    CreatedContact,
    CreatedIntegration,
    CreatedKey,
    CreatedUser,
    CreatedWebhook,
    Deleted,
    Deploy,
    DeployImpact,
    DeployRecord,
    DeployVersionRequest,
    Duplicate,
    DuplicateList,
    Enrollment,
    EnrollmentCreate,
    EnrollmentResult,
    EnrollmentUpdate,
    Event,
    Field,
    FieldCreate,
    FieldDeletion,
    FieldUpdate,
    HeldIdentity,
    Identity,
    IdentityCreate,
    IdentityUpdate,
    Import,
    ImportBeginning,
    ImportReasons,
    ImportRow,
    ImportUndo,
    Integration,
    IntegrationCreate,
    IntegrationUpdate,
    Key,
    KeyCreate,
    ListedAgent,
    ListedCampaign,
    ListedVersion,
    Merge,
    MergeCreate,
    MergePlan,
    MergeWithLosses,
    Outcomes,
    PhoneConflict,
    RenderInput,
    Rendering,
    ReplanImportRequest,
    RollBackAgentRequest,
    RotateChannelSecretRequest,
    RotateIntegrationSecretRequest,
    RotateWebhookSecretRequest,
    Segment,
    SegmentCount,
    SegmentCreate,
    SegmentUpdate,
    SentContact,
    Settings,
    SettingsUpdate,
    SignInLink,
    StoredTranscript,
    TagCount,
    TimelineEntry,
    Transcript,
    TranscriptInput,
    User,
    UserInvite,
    UserUpdate,
    Version,
    VersionCreate,
    VersionDiff,
    Webhook,
    WebhookAttempt,
    WebhookAttemptDetails,
    WebhookCreate,
    WebhookReplay,
    WebhookReplayCreate,
    WebhookUpdate,
    WrittenAgent,
    WrittenVersion,
)
from .transport import AsyncResource, AsyncTransport, Resource, Transport


class ContactsResource(Resource):
    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        search: str | None = None,
        tag: str | None = None,
        cursor: str | None = None,
        sort: Literal["created_at", "updated_at", "last_contact_at", "name", "-created_at", "-updated_at", "-last_contact_at", "-name", ""] | None = None,
        include: str | None = None,
        created_since: str | None = None,
        created_before: str | None = None,
        updated_since: str | None = None,
        last_contact_since: str | None = None,
        last_contact_before: str | None = None,
        last_activity_since: str | None = None,
        last_activity_before: str | None = None,
        source: Literal["api", "import", "manual", "inbound", "webhook", ""] | None = None,
        company: str | None = None,
        email: str | None = None,
        campaign: str | None = None,
        import_: str | None = None,
        has_email: bool | None = None,
        has_name: bool | None = None,
        in_campaign: bool | None = None,
        called: bool | None = None,
        segment: str | None = None,
        has_tag_match: Literal["any", "all", ""] | None = None,
        has_tag: str | None = None,
        filter: ContactFilterTree | str | None = None,
        options: RequestOptions | None = None,
    ) -> RecordList[Contact]:
        """List contacts."""
        return RecordList(self._transport, BY_CURSOR, Request(
            "GET",
            "/contacts",
            query={"limit": limit, "offset": offset, "search": search, "tag": tag, "cursor": cursor, "sort": sort, "include": include, "created_since": created_since, "created_before": created_before, "updated_since": updated_since, "last_contact_since": last_contact_since, "last_contact_before": last_contact_before, "last_activity_since": last_activity_since, "last_activity_before": last_activity_before, "source": source, "company": company, "email": email, "campaign": campaign, "import": import_, "has_email": has_email, "has_name": has_name, "in_campaign": in_campaign, "called": called, "segment": segment, "has_tag_match": has_tag_match, "has_tag": has_tag, "filter": filter},
            wants="json",
        ), options)

    def create(
        self,
        body: ContactCreate,
        *,
        include: str | None = None,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> CreatedContact:
        """Create a contact."""
        return self._transport.send(Request(
            "POST",
            "/contacts",
            query={"include": include},
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def get(
        self,
        id: str,
        *,
        include: str | None = None,
        options: RequestOptions | None = None,
    ) -> ContactWithCrmIds:
        """Get a contact."""
        return self._transport.send(Request("GET", f"/contacts/{encoded(id)}", query={"include": include}), options)

    def update(
        self,
        id: str,
        body: ContactUpdate,
        *,
        include: str | None = None,
        if_match: str | None = None,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Contact | SentContact:
        """Update a contact."""
        return self._transport.send(Request(
            "PATCH",
            f"/contacts/{encoded(id)}",
            query={"include": include},
            headers={"If-Match": if_match, "Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def delete(
        self,
        id: str,
        *,
        if_match: str | None = None,
        options: RequestOptions | None = None,
    ) -> Deleted:
        """Delete a contact."""
        return self._transport.send(Request(
            "DELETE",
            f"/contacts/{encoded(id)}",
            headers={"If-Match": if_match},
            is_deletion=True,
        ), options)

    def by_phone(
        self,
        phone: str,
        *,
        include: str | None = None,
        options: RequestOptions | None = None,
    ) -> ContactWithCrmIds:
        """Get a contact by phone number."""
        return self._transport.send(Request("GET", f"/contacts/by-phone/{encoded(phone)}", query={"include": include}), options)

    def upsert(
        self,
        phone: str,
        body: ContactUpdate | None = None,
        *,
        include: str | None = None,
        if_match: str | None = None,
        if_none_match: str | None = None,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Contact | SentContact | CreatedContact:
        """Create or update a contact by phone number."""
        return self._transport.send(Request(
            "PUT",
            f"/contacts/by-phone/{encoded(phone)}",
            query={"include": include},
            headers={"If-Match": if_match, "If-None-Match": if_none_match, "Idempotency-Key": idempotency_key},
            json=body or {},
            safety="key",
        ), options)

    def list_conflicts(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        contact_id: str | None = None,
        options: RequestOptions | None = None,
    ) -> RecordList[PhoneConflict]:
        """List contacts with conflicting phone numbers."""
        return RecordList(self._transport, BY_OFFSET, Request(
            "GET",
            "/contacts/conflicts",
            query={"limit": limit, "offset": offset, "contact_id": contact_id},
            wants="json",
        ), options)

    def batch(
        self,
        body: ContactBatchRequest,
        *,
        include: str | None = None,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> ContactBatch:
        """Create, update and delete many contacts."""
        return self._transport.send(Request(
            "POST",
            "/contacts/batch",
            query={"include": include},
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def export(
        self,
        *,
        format: Literal["csv", "jsonl"] | None = None,
        include: Literal["fields", ""] | None = None,
        search: str | None = None,
        tag: str | None = None,
        created_since: str | None = None,
        created_before: str | None = None,
        updated_since: str | None = None,
        last_contact_since: str | None = None,
        last_contact_before: str | None = None,
        last_activity_since: str | None = None,
        last_activity_before: str | None = None,
        source: Literal["api", "import", "manual", "inbound", "webhook", ""] | None = None,
        company: str | None = None,
        email: str | None = None,
        campaign: str | None = None,
        import_: str | None = None,
        has_email: bool | None = None,
        has_name: bool | None = None,
        in_campaign: bool | None = None,
        called: bool | None = None,
        segment: str | None = None,
        has_tag_match: Literal["any", "all", ""] | None = None,
        has_tag: str | None = None,
        filter: ContactFilterTree | str | None = None,
        options: RequestOptions | None = None,
    ) -> httpx.Response:
        """Export contacts."""
        return self._transport.send(Request(
            "GET",
            "/contacts/export",
            query={"format": format, "include": include, "search": search, "tag": tag, "created_since": created_since, "created_before": created_before, "updated_since": updated_since, "last_contact_since": last_contact_since, "last_contact_before": last_contact_before, "last_activity_since": last_activity_since, "last_activity_before": last_activity_before, "source": source, "company": company, "email": email, "campaign": campaign, "import": import_, "has_email": has_email, "has_name": has_name, "in_campaign": in_campaign, "called": called, "segment": segment, "has_tag_match": has_tag_match, "has_tag": has_tag, "filter": filter},
            wants="download",
        ), options)

    def timeline(
        self,
        id: str,
        *,
        kinds: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        options: RequestOptions | None = None,
    ) -> RecordList[TimelineEntry]:
        """Get the timeline of a contact."""
        return RecordList(self._transport, Paging("entries"), Request(
            "GET",
            f"/contacts/{encoded(id)}/timeline",
            query={"kinds": kinds, "limit": limit, "cursor": cursor},
            wants="json",
        ), options)

    def list_tags(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        search: str | None = None,
        sort: Literal["name", "-name", "count", "-count"] | None = None,
        similar: bool | None = None,
        options: RequestOptions | None = None,
    ) -> RecordList[TagCount]:
        """List tags."""
        return RecordList(self._transport, BY_OFFSET, Request(
            "GET",
            "/tags",
            query={"limit": limit, "offset": offset, "search": search, "sort": sort, "similar": similar},
            wants="json",
        ), options)

    def list_enrollments(self, id: str, *, options: RequestOptions | None = None) -> RecordList[Enrollment]:
        """List the enrollments of a contact."""
        return RecordList(self._transport, WHOLE, Request("GET", f"/contacts/{encoded(id)}/enrollments", wants="json"), options)


class AsyncContactsResource(AsyncResource):
    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        search: str | None = None,
        tag: str | None = None,
        cursor: str | None = None,
        sort: Literal["created_at", "updated_at", "last_contact_at", "name", "-created_at", "-updated_at", "-last_contact_at", "-name", ""] | None = None,
        include: str | None = None,
        created_since: str | None = None,
        created_before: str | None = None,
        updated_since: str | None = None,
        last_contact_since: str | None = None,
        last_contact_before: str | None = None,
        last_activity_since: str | None = None,
        last_activity_before: str | None = None,
        source: Literal["api", "import", "manual", "inbound", "webhook", ""] | None = None,
        company: str | None = None,
        email: str | None = None,
        campaign: str | None = None,
        import_: str | None = None,
        has_email: bool | None = None,
        has_name: bool | None = None,
        in_campaign: bool | None = None,
        called: bool | None = None,
        segment: str | None = None,
        has_tag_match: Literal["any", "all", ""] | None = None,
        has_tag: str | None = None,
        filter: ContactFilterTree | str | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncRecordList[Contact]:
        """List contacts."""
        return AsyncRecordList(self._transport, BY_CURSOR, Request(
            "GET",
            "/contacts",
            query={"limit": limit, "offset": offset, "search": search, "tag": tag, "cursor": cursor, "sort": sort, "include": include, "created_since": created_since, "created_before": created_before, "updated_since": updated_since, "last_contact_since": last_contact_since, "last_contact_before": last_contact_before, "last_activity_since": last_activity_since, "last_activity_before": last_activity_before, "source": source, "company": company, "email": email, "campaign": campaign, "import": import_, "has_email": has_email, "has_name": has_name, "in_campaign": in_campaign, "called": called, "segment": segment, "has_tag_match": has_tag_match, "has_tag": has_tag, "filter": filter},
            wants="json",
        ), options)

    async def create(
        self,
        body: ContactCreate,
        *,
        include: str | None = None,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> CreatedContact:
        """Create a contact."""
        return await self._transport.send(Request(
            "POST",
            "/contacts",
            query={"include": include},
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def get(
        self,
        id: str,
        *,
        include: str | None = None,
        options: RequestOptions | None = None,
    ) -> ContactWithCrmIds:
        """Get a contact."""
        return await self._transport.send(Request("GET", f"/contacts/{encoded(id)}", query={"include": include}), options)

    async def update(
        self,
        id: str,
        body: ContactUpdate,
        *,
        include: str | None = None,
        if_match: str | None = None,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Contact | SentContact:
        """Update a contact."""
        return await self._transport.send(Request(
            "PATCH",
            f"/contacts/{encoded(id)}",
            query={"include": include},
            headers={"If-Match": if_match, "Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def delete(
        self,
        id: str,
        *,
        if_match: str | None = None,
        options: RequestOptions | None = None,
    ) -> Deleted:
        """Delete a contact."""
        return await self._transport.send(Request(
            "DELETE",
            f"/contacts/{encoded(id)}",
            headers={"If-Match": if_match},
            is_deletion=True,
        ), options)

    async def by_phone(
        self,
        phone: str,
        *,
        include: str | None = None,
        options: RequestOptions | None = None,
    ) -> ContactWithCrmIds:
        """Get a contact by phone number."""
        return await self._transport.send(Request("GET", f"/contacts/by-phone/{encoded(phone)}", query={"include": include}), options)

    async def upsert(
        self,
        phone: str,
        body: ContactUpdate | None = None,
        *,
        include: str | None = None,
        if_match: str | None = None,
        if_none_match: str | None = None,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Contact | SentContact | CreatedContact:
        """Create or update a contact by phone number."""
        return await self._transport.send(Request(
            "PUT",
            f"/contacts/by-phone/{encoded(phone)}",
            query={"include": include},
            headers={"If-Match": if_match, "If-None-Match": if_none_match, "Idempotency-Key": idempotency_key},
            json=body or {},
            safety="key",
        ), options)

    def list_conflicts(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        contact_id: str | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncRecordList[PhoneConflict]:
        """List contacts with conflicting phone numbers."""
        return AsyncRecordList(self._transport, BY_OFFSET, Request(
            "GET",
            "/contacts/conflicts",
            query={"limit": limit, "offset": offset, "contact_id": contact_id},
            wants="json",
        ), options)

    async def batch(
        self,
        body: ContactBatchRequest,
        *,
        include: str | None = None,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> ContactBatch:
        """Create, update and delete many contacts."""
        return await self._transport.send(Request(
            "POST",
            "/contacts/batch",
            query={"include": include},
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def export(
        self,
        *,
        format: Literal["csv", "jsonl"] | None = None,
        include: Literal["fields", ""] | None = None,
        search: str | None = None,
        tag: str | None = None,
        created_since: str | None = None,
        created_before: str | None = None,
        updated_since: str | None = None,
        last_contact_since: str | None = None,
        last_contact_before: str | None = None,
        last_activity_since: str | None = None,
        last_activity_before: str | None = None,
        source: Literal["api", "import", "manual", "inbound", "webhook", ""] | None = None,
        company: str | None = None,
        email: str | None = None,
        campaign: str | None = None,
        import_: str | None = None,
        has_email: bool | None = None,
        has_name: bool | None = None,
        in_campaign: bool | None = None,
        called: bool | None = None,
        segment: str | None = None,
        has_tag_match: Literal["any", "all", ""] | None = None,
        has_tag: str | None = None,
        filter: ContactFilterTree | str | None = None,
        options: RequestOptions | None = None,
    ) -> httpx.Response:
        """Export contacts."""
        return await self._transport.send(Request(
            "GET",
            "/contacts/export",
            query={"format": format, "include": include, "search": search, "tag": tag, "created_since": created_since, "created_before": created_before, "updated_since": updated_since, "last_contact_since": last_contact_since, "last_contact_before": last_contact_before, "last_activity_since": last_activity_since, "last_activity_before": last_activity_before, "source": source, "company": company, "email": email, "campaign": campaign, "import": import_, "has_email": has_email, "has_name": has_name, "in_campaign": in_campaign, "called": called, "segment": segment, "has_tag_match": has_tag_match, "has_tag": has_tag, "filter": filter},
            wants="download",
        ), options)

    def timeline(
        self,
        id: str,
        *,
        kinds: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncRecordList[TimelineEntry]:
        """Get the timeline of a contact."""
        return AsyncRecordList(self._transport, Paging("entries"), Request(
            "GET",
            f"/contacts/{encoded(id)}/timeline",
            query={"kinds": kinds, "limit": limit, "cursor": cursor},
            wants="json",
        ), options)

    def list_tags(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        search: str | None = None,
        sort: Literal["name", "-name", "count", "-count"] | None = None,
        similar: bool | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncRecordList[TagCount]:
        """List tags."""
        return AsyncRecordList(self._transport, BY_OFFSET, Request(
            "GET",
            "/tags",
            query={"limit": limit, "offset": offset, "search": search, "sort": sort, "similar": similar},
            wants="json",
        ), options)

    def list_enrollments(self, id: str, *, options: RequestOptions | None = None) -> AsyncRecordList[Enrollment]:
        """List the enrollments of a contact."""
        return AsyncRecordList(self._transport, WHOLE, Request("GET", f"/contacts/{encoded(id)}/enrollments", wants="json"), options)


class SegmentsResource(Resource):
    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: RequestOptions | None = None,
    ) -> RecordList[Segment]:
        """List segments."""
        return RecordList(self._transport, BY_OFFSET, Request("GET", "/segments", query={"limit": limit, "offset": offset}, wants="json"), options)

    def create(
        self,
        body: SegmentCreate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Segment:
        """Create a segment."""
        return self._transport.send(Request(
            "POST",
            "/segments",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def get(self, id: str, *, options: RequestOptions | None = None) -> Segment:
        """Get a segment."""
        return self._transport.send(Request("GET", f"/segments/{encoded(id)}"), options)

    def update(
        self,
        id: str,
        body: SegmentUpdate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Segment:
        """Change a segment."""
        return self._transport.send(Request(
            "PATCH",
            f"/segments/{encoded(id)}",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def delete(self, id: str, *, options: RequestOptions | None = None) -> Deleted:
        """Delete a segment."""
        return self._transport.send(Request("DELETE", f"/segments/{encoded(id)}", is_deletion=True), options)

    def count(self, id: str, *, options: RequestOptions | None = None) -> SegmentCount:
        """Count the contacts of a segment."""
        return self._transport.send(Request("GET", f"/segments/{encoded(id)}/count"), options)


class AsyncSegmentsResource(AsyncResource):
    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncRecordList[Segment]:
        """List segments."""
        return AsyncRecordList(self._transport, BY_OFFSET, Request("GET", "/segments", query={"limit": limit, "offset": offset}, wants="json"), options)

    async def create(
        self,
        body: SegmentCreate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Segment:
        """Create a segment."""
        return await self._transport.send(Request(
            "POST",
            "/segments",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def get(self, id: str, *, options: RequestOptions | None = None) -> Segment:
        """Get a segment."""
        return await self._transport.send(Request("GET", f"/segments/{encoded(id)}"), options)

    async def update(
        self,
        id: str,
        body: SegmentUpdate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Segment:
        """Change a segment."""
        return await self._transport.send(Request(
            "PATCH",
            f"/segments/{encoded(id)}",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def delete(self, id: str, *, options: RequestOptions | None = None) -> Deleted:
        """Delete a segment."""
        return await self._transport.send(Request("DELETE", f"/segments/{encoded(id)}", is_deletion=True), options)

    async def count(self, id: str, *, options: RequestOptions | None = None) -> SegmentCount:
        """Count the contacts of a segment."""
        return await self._transport.send(Request("GET", f"/segments/{encoded(id)}/count"), options)


class IdentitiesResource(Resource):
    def list_of_contact(self, id: str, *, options: RequestOptions | None = None) -> RecordList[Identity]:
        """List a contact's identities."""
        return RecordList(self._transport, WHOLE, Request("GET", f"/contacts/{encoded(id)}/identities", wants="json"), options)

    def add(
        self,
        id: str,
        body: IdentityCreate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Identity:
        """Add an identity to a contact."""
        return self._transport.send(Request(
            "POST",
            f"/contacts/{encoded(id)}/identities",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def make_primary(
        self,
        id: str,
        identity_id: str,
        body: IdentityUpdate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Identity:
        """Make a number the contact's primary number."""
        return self._transport.send(Request(
            "PATCH",
            f"/contacts/{encoded(id)}/identities/{encoded(identity_id)}",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def remove(self, id: str, identity_id: str, *, options: RequestOptions | None = None) -> Deleted:
        """Remove an identity from a contact."""
        return self._transport.send(Request(
            "DELETE",
            f"/contacts/{encoded(id)}/identities/{encoded(identity_id)}",
            is_deletion=True,
        ), options)

    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        contact: Literal["none"],
        options: RequestOptions | None = None,
    ) -> RecordList[HeldIdentity]:
        """List people without a contact."""
        return RecordList(self._transport, BY_OFFSET, Request(
            "GET",
            "/identities",
            query={"limit": limit, "offset": offset, "contact": contact},
            wants="json",
        ), options)

    def get(self, kind: str, value: str, *, options: RequestOptions | None = None) -> HeldIdentity:
        """Find who has an identity."""
        return self._transport.send(Request("GET", f"/identities/{encoded(kind)}/{encoded(value)}"), options)


class AsyncIdentitiesResource(AsyncResource):
    def list_of_contact(self, id: str, *, options: RequestOptions | None = None) -> AsyncRecordList[Identity]:
        """List a contact's identities."""
        return AsyncRecordList(self._transport, WHOLE, Request("GET", f"/contacts/{encoded(id)}/identities", wants="json"), options)

    async def add(
        self,
        id: str,
        body: IdentityCreate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Identity:
        """Add an identity to a contact."""
        return await self._transport.send(Request(
            "POST",
            f"/contacts/{encoded(id)}/identities",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def make_primary(
        self,
        id: str,
        identity_id: str,
        body: IdentityUpdate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Identity:
        """Make a number the contact's primary number."""
        return await self._transport.send(Request(
            "PATCH",
            f"/contacts/{encoded(id)}/identities/{encoded(identity_id)}",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def remove(self, id: str, identity_id: str, *, options: RequestOptions | None = None) -> Deleted:
        """Remove an identity from a contact."""
        return await self._transport.send(Request(
            "DELETE",
            f"/contacts/{encoded(id)}/identities/{encoded(identity_id)}",
            is_deletion=True,
        ), options)

    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        contact: Literal["none"],
        options: RequestOptions | None = None,
    ) -> AsyncRecordList[HeldIdentity]:
        """List people without a contact."""
        return AsyncRecordList(self._transport, BY_OFFSET, Request(
            "GET",
            "/identities",
            query={"limit": limit, "offset": offset, "contact": contact},
            wants="json",
        ), options)

    async def get(self, kind: str, value: str, *, options: RequestOptions | None = None) -> HeldIdentity:
        """Find who has an identity."""
        return await self._transport.send(Request("GET", f"/identities/{encoded(kind)}/{encoded(value)}"), options)


class MergesResource(Resource):
    def create(
        self,
        body: MergeCreate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> MergePlan | Merge:
        """Merge contacts."""
        return self._transport.send(Request(
            "POST",
            "/merges",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        contact_id: str | None = None,
        options: RequestOptions | None = None,
    ) -> RecordList[Merge]:
        """List merges."""
        return RecordList(self._transport, BY_OFFSET, Request(
            "GET",
            "/merges",
            query={"limit": limit, "offset": offset, "contact_id": contact_id},
            wants="json",
        ), options)

    def get(self, id: str, *, options: RequestOptions | None = None) -> MergeWithLosses:
        """Get a merge."""
        return self._transport.send(Request("GET", f"/merges/{encoded(id)}"), options)

    def undo(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Merge:
        """Undo a merge."""
        return self._transport.send(Request(
            "POST",
            f"/merges/{encoded(id)}/undo",
            headers={"Idempotency-Key": idempotency_key},
            safety="key",
        ), options)


class AsyncMergesResource(AsyncResource):
    async def create(
        self,
        body: MergeCreate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> MergePlan | Merge:
        """Merge contacts."""
        return await self._transport.send(Request(
            "POST",
            "/merges",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        contact_id: str | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncRecordList[Merge]:
        """List merges."""
        return AsyncRecordList(self._transport, BY_OFFSET, Request(
            "GET",
            "/merges",
            query={"limit": limit, "offset": offset, "contact_id": contact_id},
            wants="json",
        ), options)

    async def get(self, id: str, *, options: RequestOptions | None = None) -> MergeWithLosses:
        """Get a merge."""
        return await self._transport.send(Request("GET", f"/merges/{encoded(id)}"), options)

    async def undo(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Merge:
        """Undo a merge."""
        return await self._transport.send(Request(
            "POST",
            f"/merges/{encoded(id)}/undo",
            headers={"Idempotency-Key": idempotency_key},
            safety="key",
        ), options)


class BulkJobsResource(Resource):
    def create(
        self,
        body: BulkJobCreate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> BulkJobReceipt:
        """Create a bulk job."""
        return self._transport.send(Request(
            "POST",
            "/bulk-jobs",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: RequestOptions | None = None,
    ) -> RecordList[BulkJob]:
        """List bulk jobs."""
        return RecordList(self._transport, BY_OFFSET, Request("GET", "/bulk-jobs", query={"limit": limit, "offset": offset}, wants="json"), options)

    def get(self, id: str, *, options: RequestOptions | None = None) -> BulkJob:
        """Get a bulk job."""
        return self._transport.send(Request("GET", f"/bulk-jobs/{encoded(id)}"), options)

    def cancel(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> BulkJobReceipt:
        """Cancel a bulk job."""
        return self._transport.send(Request(
            "POST",
            f"/bulk-jobs/{encoded(id)}/cancel",
            headers={"Idempotency-Key": idempotency_key},
            safety="key",
        ), options)

    def undo(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> BulkJobReceipt:
        """Undo a bulk job."""
        return self._transport.send(Request(
            "POST",
            f"/bulk-jobs/{encoded(id)}/undo",
            headers={"Idempotency-Key": idempotency_key},
            safety="key",
        ), options)

    def download(
        self,
        id: str,
        *,
        format: Literal["csv", "jsonl"] | None = None,
        include: Literal["fields", ""] | None = None,
        options: RequestOptions | None = None,
    ) -> httpx.Response:
        """Download an export."""
        return self._transport.send(Request(
            "GET",
            f"/bulk-jobs/{encoded(id)}/export",
            query={"format": format, "include": include},
            wants="download",
        ), options)


class AsyncBulkJobsResource(AsyncResource):
    async def create(
        self,
        body: BulkJobCreate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> BulkJobReceipt:
        """Create a bulk job."""
        return await self._transport.send(Request(
            "POST",
            "/bulk-jobs",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncRecordList[BulkJob]:
        """List bulk jobs."""
        return AsyncRecordList(self._transport, BY_OFFSET, Request("GET", "/bulk-jobs", query={"limit": limit, "offset": offset}, wants="json"), options)

    async def get(self, id: str, *, options: RequestOptions | None = None) -> BulkJob:
        """Get a bulk job."""
        return await self._transport.send(Request("GET", f"/bulk-jobs/{encoded(id)}"), options)

    async def cancel(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> BulkJobReceipt:
        """Cancel a bulk job."""
        return await self._transport.send(Request(
            "POST",
            f"/bulk-jobs/{encoded(id)}/cancel",
            headers={"Idempotency-Key": idempotency_key},
            safety="key",
        ), options)

    async def undo(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> BulkJobReceipt:
        """Undo a bulk job."""
        return await self._transport.send(Request(
            "POST",
            f"/bulk-jobs/{encoded(id)}/undo",
            headers={"Idempotency-Key": idempotency_key},
            safety="key",
        ), options)

    async def download(
        self,
        id: str,
        *,
        format: Literal["csv", "jsonl"] | None = None,
        include: Literal["fields", ""] | None = None,
        options: RequestOptions | None = None,
    ) -> httpx.Response:
        """Download an export."""
        return await self._transport.send(Request(
            "GET",
            f"/bulk-jobs/{encoded(id)}/export",
            query={"format": format, "include": include},
            wants="download",
        ), options)


class DuplicatesResource(Resource):
    def list(
        self,
        *,
        reason: Literal["variant_numbers", "same_email", "same_external_id", "attested_identity", "same_name_and_company"] | None = None,
        strength: Literal["strong", "weak"] | None = None,
        contact_id: str | None = None,
        dismissed: bool | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        options: RequestOptions | None = None,
    ) -> DuplicateList:
        """List likely duplicates."""
        return self._transport.send(Request(
            "GET",
            "/duplicates",
            query={"reason": reason, "strength": strength, "contact_id": contact_id, "dismissed": dismissed, "limit": limit, "cursor": cursor},
        ), options)

    def get(self, id: str, *, options: RequestOptions | None = None) -> Duplicate:
        """Get a group of likely duplicates."""
        return self._transport.send(Request("GET", f"/duplicates/{encoded(id)}"), options)

    def dismiss(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Duplicate:
        """Dismiss a group of likely duplicates."""
        return self._transport.send(Request(
            "POST",
            f"/duplicates/{encoded(id)}/dismiss",
            headers={"Idempotency-Key": idempotency_key},
            safety="key",
        ), options)

    def restore(self, id: str, *, options: RequestOptions | None = None) -> Duplicate:
        """Undo the dismissal of a group."""
        return self._transport.send(Request("DELETE", f"/duplicates/{encoded(id)}/dismissal"), options)


class AsyncDuplicatesResource(AsyncResource):
    async def list(
        self,
        *,
        reason: Literal["variant_numbers", "same_email", "same_external_id", "attested_identity", "same_name_and_company"] | None = None,
        strength: Literal["strong", "weak"] | None = None,
        contact_id: str | None = None,
        dismissed: bool | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        options: RequestOptions | None = None,
    ) -> DuplicateList:
        """List likely duplicates."""
        return await self._transport.send(Request(
            "GET",
            "/duplicates",
            query={"reason": reason, "strength": strength, "contact_id": contact_id, "dismissed": dismissed, "limit": limit, "cursor": cursor},
        ), options)

    async def get(self, id: str, *, options: RequestOptions | None = None) -> Duplicate:
        """Get a group of likely duplicates."""
        return await self._transport.send(Request("GET", f"/duplicates/{encoded(id)}"), options)

    async def dismiss(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Duplicate:
        """Dismiss a group of likely duplicates."""
        return await self._transport.send(Request(
            "POST",
            f"/duplicates/{encoded(id)}/dismiss",
            headers={"Idempotency-Key": idempotency_key},
            safety="key",
        ), options)

    async def restore(self, id: str, *, options: RequestOptions | None = None) -> Duplicate:
        """Undo the dismissal of a group."""
        return await self._transport.send(Request("DELETE", f"/duplicates/{encoded(id)}/dismissal"), options)


class AgentsResource(Resource):
    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: RequestOptions | None = None,
    ) -> RecordList[ListedAgent]:
        """List agents."""
        return RecordList(self._transport, BY_OFFSET, Request("GET", "/agents", query={"limit": limit, "offset": offset}, wants="json"), options)

    def create(
        self,
        body: AgentCreate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> WrittenAgent:
        """Create an agent."""
        return self._transport.send(Request(
            "POST",
            "/agents",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def duplicate(
        self,
        id: str,
        body: AgentDuplicate | None = None,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> WrittenAgent:
        """Duplicate an agent."""
        return self._transport.send(Request(
            "POST",
            f"/agents/{encoded(id)}/duplicate",
            headers={"Idempotency-Key": idempotency_key},
            json=body or {},
            safety="key",
        ), options)

    def get(self, id: str, *, options: RequestOptions | None = None) -> Agent:
        """Get an agent."""
        return self._transport.send(Request("GET", f"/agents/{encoded(id)}"), options)

    def update(
        self,
        id: str,
        body: AgentUpdate,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> WrittenAgent:
        """Update an agent."""
        return self._transport.send(Request(
            "PATCH",
            f"/agents/{encoded(id)}",
            headers={"If-Match": if_match, "Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def delete(
        self,
        id: str,
        *,
        if_match: str | None = None,
        options: RequestOptions | None = None,
    ) -> Deleted:
        """Delete an agent."""
        return self._transport.send(Request(
            "DELETE",
            f"/agents/{encoded(id)}",
            headers={"If-Match": if_match},
            is_deletion=True,
        ), options)

    def get_variables(self, id: str, *, options: RequestOptions | None = None) -> AgentVariables:
        """Get an agent's own variables."""
        return self._transport.send(Request("GET", f"/agents/{encoded(id)}/variables"), options)

    def replace_variables(
        self,
        id: str,
        body: AgentVariablesInput,
        *,
        if_match: str | None = None,
        if_none_match: str | None = None,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> AgentVariables:
        """Replace an agent's own variables."""
        return self._transport.send(Request(
            "PUT",
            f"/agents/{encoded(id)}/variables",
            headers={"If-Match": if_match, "If-None-Match": if_none_match, "Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def create_version(
        self,
        id: str,
        body: VersionCreate | None = None,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> WrittenVersion:
        """Create a version."""
        return self._transport.send(Request(
            "POST",
            f"/agents/{encoded(id)}/versions",
            headers={"If-Match": if_match, "Idempotency-Key": idempotency_key},
            json=body or {},
            safety="key",
        ), options)

    def list_versions(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: RequestOptions | None = None,
    ) -> RecordList[ListedVersion]:
        """List the versions of an agent."""
        return RecordList(self._transport, BY_OFFSET, Request(
            "GET",
            f"/agents/{encoded(id)}/versions",
            query={"limit": limit, "offset": offset},
            wants="json",
        ), options)

    def get_config_schema(self, id: str, *, options: RequestOptions | None = None) -> ConfigSchema:
        """Get the schema of an agent's config."""
        return self._transport.send(Request("GET", f"/agents/{encoded(id)}/config-schema"), options)

    def replace_config_schema(
        self,
        id: str,
        body: ConfigSchemaInput,
        *,
        if_match: str | None = None,
        if_none_match: str | None = None,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> ConfigSchema:
        """Replace the schema of an agent's config."""
        return self._transport.send(Request(
            "PUT",
            f"/agents/{encoded(id)}/config-schema",
            headers={"If-Match": if_match, "If-None-Match": if_none_match, "Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def delete_config_schema(
        self,
        id: str,
        *,
        if_match: str | None = None,
        options: RequestOptions | None = None,
    ) -> Deleted:
        """Delete the schema of an agent's config."""
        return self._transport.send(Request(
            "DELETE",
            f"/agents/{encoded(id)}/config-schema",
            headers={"If-Match": if_match},
            is_deletion=True,
        ), options)

    def get_version(self, id: str, version: str, *, options: RequestOptions | None = None) -> Version:
        """Get a version."""
        return self._transport.send(Request("GET", f"/agents/{encoded(id)}/versions/{encoded(version)}"), options)

    def compare_versions(
        self,
        id: str,
        version: str,
        *,
        from_: str,
        options: RequestOptions | None = None,
    ) -> VersionDiff:
        """Compare two versions."""
        return self._transport.send(Request(
            "GET",
            f"/agents/{encoded(id)}/versions/{encoded(version)}/diff",
            query={"from": from_},
        ), options)

    def roll_back(
        self,
        id: str,
        body: RollBackAgentRequest | None = None,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Deploy:
        """Roll back to the previously deployed version."""
        return self._transport.send(Request(
            "POST",
            f"/agents/{encoded(id)}/rollback",
            headers={"Idempotency-Key": idempotency_key},
            json=body or {},
            safety="key",
        ), options)

    def deploy(
        self,
        id: str,
        version: str,
        body: DeployVersionRequest | None = None,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Deploy:
        """Deploy a version."""
        return self._transport.send(Request(
            "POST",
            f"/agents/{encoded(id)}/versions/{encoded(version)}/deploy",
            headers={"Idempotency-Key": idempotency_key},
            json=body or {},
            safety="key",
        ), options)

    def list_deploys(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: RequestOptions | None = None,
    ) -> RecordList[DeployRecord]:
        """List the deploys of an agent."""
        return RecordList(self._transport, BY_OFFSET, Request(
            "GET",
            f"/agents/{encoded(id)}/deploys",
            query={"limit": limit, "offset": offset},
            wants="json",
        ), options)

    def list_version_deploys(
        self,
        id: str,
        version: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: RequestOptions | None = None,
    ) -> RecordList[DeployRecord]:
        """List the deploys of a version."""
        return RecordList(self._transport, BY_OFFSET, Request(
            "GET",
            f"/agents/{encoded(id)}/versions/{encoded(version)}/deploys",
            query={"limit": limit, "offset": offset},
            wants="json",
        ), options)

    def list_all_deploys(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: RequestOptions | None = None,
    ) -> RecordList[DeployRecord]:
        """List deploys."""
        return RecordList(self._transport, BY_OFFSET, Request("GET", "/deploys", query={"limit": limit, "offset": offset}, wants="json"), options)

    def active_version(self, id: str, *, at: str | None = None, options: RequestOptions | None = None) -> ActiveVersion | None:
        """Get the version that was active at a time."""
        return self._transport.send(Request("GET", f"/agents/{encoded(id)}/active", query={"at": at}), options)

    def render(
        self,
        id: str,
        version: str,
        body: RenderInput,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Rendering:
        """Render the instructions of a version."""
        return self._transport.send(Request(
            "POST",
            f"/agents/{encoded(id)}/versions/{encoded(version)}/render",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def preview_deploy(self, id: str, version: str, *, options: RequestOptions | None = None) -> DeployImpact:
        """Preview what a deploy would change."""
        return self._transport.send(Request("GET", f"/agents/{encoded(id)}/versions/{encoded(version)}/impact"), options)


class AsyncAgentsResource(AsyncResource):
    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncRecordList[ListedAgent]:
        """List agents."""
        return AsyncRecordList(self._transport, BY_OFFSET, Request("GET", "/agents", query={"limit": limit, "offset": offset}, wants="json"), options)

    async def create(
        self,
        body: AgentCreate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> WrittenAgent:
        """Create an agent."""
        return await self._transport.send(Request(
            "POST",
            "/agents",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def duplicate(
        self,
        id: str,
        body: AgentDuplicate | None = None,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> WrittenAgent:
        """Duplicate an agent."""
        return await self._transport.send(Request(
            "POST",
            f"/agents/{encoded(id)}/duplicate",
            headers={"Idempotency-Key": idempotency_key},
            json=body or {},
            safety="key",
        ), options)

    async def get(self, id: str, *, options: RequestOptions | None = None) -> Agent:
        """Get an agent."""
        return await self._transport.send(Request("GET", f"/agents/{encoded(id)}"), options)

    async def update(
        self,
        id: str,
        body: AgentUpdate,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> WrittenAgent:
        """Update an agent."""
        return await self._transport.send(Request(
            "PATCH",
            f"/agents/{encoded(id)}",
            headers={"If-Match": if_match, "Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def delete(
        self,
        id: str,
        *,
        if_match: str | None = None,
        options: RequestOptions | None = None,
    ) -> Deleted:
        """Delete an agent."""
        return await self._transport.send(Request(
            "DELETE",
            f"/agents/{encoded(id)}",
            headers={"If-Match": if_match},
            is_deletion=True,
        ), options)

    async def get_variables(self, id: str, *, options: RequestOptions | None = None) -> AgentVariables:
        """Get an agent's own variables."""
        return await self._transport.send(Request("GET", f"/agents/{encoded(id)}/variables"), options)

    async def replace_variables(
        self,
        id: str,
        body: AgentVariablesInput,
        *,
        if_match: str | None = None,
        if_none_match: str | None = None,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> AgentVariables:
        """Replace an agent's own variables."""
        return await self._transport.send(Request(
            "PUT",
            f"/agents/{encoded(id)}/variables",
            headers={"If-Match": if_match, "If-None-Match": if_none_match, "Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def create_version(
        self,
        id: str,
        body: VersionCreate | None = None,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> WrittenVersion:
        """Create a version."""
        return await self._transport.send(Request(
            "POST",
            f"/agents/{encoded(id)}/versions",
            headers={"If-Match": if_match, "Idempotency-Key": idempotency_key},
            json=body or {},
            safety="key",
        ), options)

    def list_versions(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncRecordList[ListedVersion]:
        """List the versions of an agent."""
        return AsyncRecordList(self._transport, BY_OFFSET, Request(
            "GET",
            f"/agents/{encoded(id)}/versions",
            query={"limit": limit, "offset": offset},
            wants="json",
        ), options)

    async def get_config_schema(self, id: str, *, options: RequestOptions | None = None) -> ConfigSchema:
        """Get the schema of an agent's config."""
        return await self._transport.send(Request("GET", f"/agents/{encoded(id)}/config-schema"), options)

    async def replace_config_schema(
        self,
        id: str,
        body: ConfigSchemaInput,
        *,
        if_match: str | None = None,
        if_none_match: str | None = None,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> ConfigSchema:
        """Replace the schema of an agent's config."""
        return await self._transport.send(Request(
            "PUT",
            f"/agents/{encoded(id)}/config-schema",
            headers={"If-Match": if_match, "If-None-Match": if_none_match, "Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def delete_config_schema(
        self,
        id: str,
        *,
        if_match: str | None = None,
        options: RequestOptions | None = None,
    ) -> Deleted:
        """Delete the schema of an agent's config."""
        return await self._transport.send(Request(
            "DELETE",
            f"/agents/{encoded(id)}/config-schema",
            headers={"If-Match": if_match},
            is_deletion=True,
        ), options)

    async def get_version(self, id: str, version: str, *, options: RequestOptions | None = None) -> Version:
        """Get a version."""
        return await self._transport.send(Request("GET", f"/agents/{encoded(id)}/versions/{encoded(version)}"), options)

    async def compare_versions(
        self,
        id: str,
        version: str,
        *,
        from_: str,
        options: RequestOptions | None = None,
    ) -> VersionDiff:
        """Compare two versions."""
        return await self._transport.send(Request(
            "GET",
            f"/agents/{encoded(id)}/versions/{encoded(version)}/diff",
            query={"from": from_},
        ), options)

    async def roll_back(
        self,
        id: str,
        body: RollBackAgentRequest | None = None,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Deploy:
        """Roll back to the previously deployed version."""
        return await self._transport.send(Request(
            "POST",
            f"/agents/{encoded(id)}/rollback",
            headers={"Idempotency-Key": idempotency_key},
            json=body or {},
            safety="key",
        ), options)

    async def deploy(
        self,
        id: str,
        version: str,
        body: DeployVersionRequest | None = None,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Deploy:
        """Deploy a version."""
        return await self._transport.send(Request(
            "POST",
            f"/agents/{encoded(id)}/versions/{encoded(version)}/deploy",
            headers={"Idempotency-Key": idempotency_key},
            json=body or {},
            safety="key",
        ), options)

    def list_deploys(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncRecordList[DeployRecord]:
        """List the deploys of an agent."""
        return AsyncRecordList(self._transport, BY_OFFSET, Request(
            "GET",
            f"/agents/{encoded(id)}/deploys",
            query={"limit": limit, "offset": offset},
            wants="json",
        ), options)

    def list_version_deploys(
        self,
        id: str,
        version: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncRecordList[DeployRecord]:
        """List the deploys of a version."""
        return AsyncRecordList(self._transport, BY_OFFSET, Request(
            "GET",
            f"/agents/{encoded(id)}/versions/{encoded(version)}/deploys",
            query={"limit": limit, "offset": offset},
            wants="json",
        ), options)

    def list_all_deploys(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncRecordList[DeployRecord]:
        """List deploys."""
        return AsyncRecordList(self._transport, BY_OFFSET, Request("GET", "/deploys", query={"limit": limit, "offset": offset}, wants="json"), options)

    async def active_version(self, id: str, *, at: str | None = None, options: RequestOptions | None = None) -> ActiveVersion | None:
        """Get the version that was active at a time."""
        return await self._transport.send(Request("GET", f"/agents/{encoded(id)}/active", query={"at": at}), options)

    async def render(
        self,
        id: str,
        version: str,
        body: RenderInput,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Rendering:
        """Render the instructions of a version."""
        return await self._transport.send(Request(
            "POST",
            f"/agents/{encoded(id)}/versions/{encoded(version)}/render",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def preview_deploy(self, id: str, version: str, *, options: RequestOptions | None = None) -> DeployImpact:
        """Preview what a deploy would change."""
        return await self._transport.send(Request("GET", f"/agents/{encoded(id)}/versions/{encoded(version)}/impact"), options)


class ChannelsResource(Resource):
    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        agent_id: str | None = None,
        options: RequestOptions | None = None,
    ) -> RecordList[Channel]:
        """List channels."""
        return RecordList(self._transport, BY_OFFSET, Request(
            "GET",
            "/channels",
            query={"limit": limit, "offset": offset, "agent_id": agent_id},
            wants="json",
        ), options)

    def create(
        self,
        body: ChannelCreate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> CreatedChannel:
        """Create a channel."""
        return self._transport.send(Request(
            "POST",
            "/channels",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def get(self, id: str, *, options: RequestOptions | None = None) -> Channel:
        """Get a channel."""
        return self._transport.send(Request("GET", f"/channels/{encoded(id)}"), options)

    def update(
        self,
        id: str,
        body: ChannelUpdate,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Channel:
        """Update a channel."""
        return self._transport.send(Request(
            "PATCH",
            f"/channels/{encoded(id)}",
            headers={"If-Match": if_match, "Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def delete(
        self,
        id: str,
        *,
        if_match: str | None = None,
        options: RequestOptions | None = None,
    ) -> Deleted:
        """Delete a channel."""
        return self._transport.send(Request(
            "DELETE",
            f"/channels/{encoded(id)}",
            headers={"If-Match": if_match},
            is_deletion=True,
        ), options)

    def rotate_secret(
        self,
        id: str,
        body: RotateChannelSecretRequest | None = None,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> CreatedChannel:
        """Rotate the secret of a channel."""
        return self._transport.send(Request(
            "POST",
            f"/channels/{encoded(id)}/rotate-secret",
            headers={"Idempotency-Key": idempotency_key},
            json=body or {},
            safety="key",
        ), options)

    def revoke_old_secret(self, id: str, *, options: RequestOptions | None = None) -> Channel:
        """Revoke the old secret of a channel."""
        return self._transport.send(Request("DELETE", f"/channels/{encoded(id)}/old-secret"), options)

    def connect(
        self,
        id: str,
        body: ChannelAgentUpdate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Channel:
        """Connect an agent to a channel."""
        return self._transport.send(Request(
            "PUT",
            f"/channels/{encoded(id)}/agent",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def disconnect(self, id: str, *, options: RequestOptions | None = None) -> Channel:
        """Disconnect the agent from a channel."""
        return self._transport.send(Request("DELETE", f"/channels/{encoded(id)}/agent"), options)


class AsyncChannelsResource(AsyncResource):
    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        agent_id: str | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncRecordList[Channel]:
        """List channels."""
        return AsyncRecordList(self._transport, BY_OFFSET, Request(
            "GET",
            "/channels",
            query={"limit": limit, "offset": offset, "agent_id": agent_id},
            wants="json",
        ), options)

    async def create(
        self,
        body: ChannelCreate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> CreatedChannel:
        """Create a channel."""
        return await self._transport.send(Request(
            "POST",
            "/channels",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def get(self, id: str, *, options: RequestOptions | None = None) -> Channel:
        """Get a channel."""
        return await self._transport.send(Request("GET", f"/channels/{encoded(id)}"), options)

    async def update(
        self,
        id: str,
        body: ChannelUpdate,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Channel:
        """Update a channel."""
        return await self._transport.send(Request(
            "PATCH",
            f"/channels/{encoded(id)}",
            headers={"If-Match": if_match, "Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def delete(
        self,
        id: str,
        *,
        if_match: str | None = None,
        options: RequestOptions | None = None,
    ) -> Deleted:
        """Delete a channel."""
        return await self._transport.send(Request(
            "DELETE",
            f"/channels/{encoded(id)}",
            headers={"If-Match": if_match},
            is_deletion=True,
        ), options)

    async def rotate_secret(
        self,
        id: str,
        body: RotateChannelSecretRequest | None = None,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> CreatedChannel:
        """Rotate the secret of a channel."""
        return await self._transport.send(Request(
            "POST",
            f"/channels/{encoded(id)}/rotate-secret",
            headers={"Idempotency-Key": idempotency_key},
            json=body or {},
            safety="key",
        ), options)

    async def revoke_old_secret(self, id: str, *, options: RequestOptions | None = None) -> Channel:
        """Revoke the old secret of a channel."""
        return await self._transport.send(Request("DELETE", f"/channels/{encoded(id)}/old-secret"), options)

    async def connect(
        self,
        id: str,
        body: ChannelAgentUpdate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Channel:
        """Connect an agent to a channel."""
        return await self._transport.send(Request(
            "PUT",
            f"/channels/{encoded(id)}/agent",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def disconnect(self, id: str, *, options: RequestOptions | None = None) -> Channel:
        """Disconnect the agent from a channel."""
        return await self._transport.send(Request("DELETE", f"/channels/{encoded(id)}/agent"), options)


class CallsResource(Resource):
    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        contact_id: str | None = None,
        identity_id: str | None = None,
        channel_id: str | None = None,
        agent_id: str | None = None,
        version_id: str | None = None,
        direction: Literal["inbound", "outbound"] | None = None,
        type: Literal["call", "message", ""] | None = None,
        status: Literal["queued", "ringing", "in_progress", "completed", "busy", "no_answer", "canceled", "failed", ""] | None = None,
        started_since: str | None = None,
        started_before: str | None = None,
        number: str | None = None,
        disposition: str | None = None,
        goal: str | None = None,
        tag: str | None = None,
        seconds_min: int | str | None = None,
        seconds_max: int | str | None = None,
        search: str | None = None,
        sort: Literal["started_at", "-started_at", ""] | None = None,
        options: RequestOptions | None = None,
    ) -> RecordList[Call]:
        """List calls."""
        return RecordList(self._transport, BY_OFFSET, Request(
            "GET",
            "/calls",
            query={"limit": limit, "offset": offset, "contact_id": contact_id, "identity_id": identity_id, "channel_id": channel_id, "agent_id": agent_id, "version_id": version_id, "direction": direction, "type": type, "status": status, "started_since": started_since, "started_before": started_before, "number": number, "disposition": disposition, "goal": goal, "tag": tag, "seconds_min": seconds_min, "seconds_max": seconds_max, "search": search, "sort": sort},
            wants="json",
        ), options)

    def statistics(
        self,
        *,
        contact_id: str | None = None,
        identity_id: str | None = None,
        channel_id: str | None = None,
        agent_id: str | None = None,
        version_id: str | None = None,
        direction: Literal["inbound", "outbound"] | None = None,
        type: Literal["call", "message", ""] | None = None,
        status: Literal["queued", "ringing", "in_progress", "completed", "busy", "no_answer", "canceled", "failed", ""] | None = None,
        started_since: str | None = None,
        started_before: str | None = None,
        number: str | None = None,
        disposition: str | None = None,
        goal: str | None = None,
        tag: str | None = None,
        seconds_min: int | str | None = None,
        seconds_max: int | str | None = None,
        search: str | None = None,
        options: RequestOptions | None = None,
    ) -> CallStatistics:
        """Count calls by status, day, duration and version."""
        return self._transport.send(Request(
            "GET",
            "/calls/statistics",
            query={"contact_id": contact_id, "identity_id": identity_id, "channel_id": channel_id, "agent_id": agent_id, "version_id": version_id, "direction": direction, "type": type, "status": status, "started_since": started_since, "started_before": started_before, "number": number, "disposition": disposition, "goal": goal, "tag": tag, "seconds_min": seconds_min, "seconds_max": seconds_max, "search": search},
        ), options)

    def tags(self, *, options: RequestOptions | None = None) -> RecordList[CallTag]:
        """List the tags of calls."""
        return RecordList(self._transport, WHOLE, Request("GET", "/calls/tags", wants="json"), options)

    def outcomes(
        self,
        *,
        version_id: str | None = None,
        channel_id: str | None = None,
        agent_id: str | None = None,
        since: str | None = None,
        before: str | None = None,
        options: RequestOptions | None = None,
    ) -> Outcomes:
        """Count dispositions and goals by day, version and channel."""
        return self._transport.send(Request(
            "GET",
            "/outcomes",
            query={"version_id": version_id, "channel_id": channel_id, "agent_id": agent_id, "since": since, "before": before},
        ), options)

    def settings(self, *, options: RequestOptions | None = None) -> CallSettings:
        """Get the call settings."""
        return self._transport.send(Request("GET", "/call-settings"), options)

    def replace_settings(
        self,
        body: CallSettingsInput,
        *,
        if_match: str | None = None,
        if_none_match: str | None = None,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> CallSettings:
        """Replace the call settings."""
        return self._transport.send(Request(
            "PUT",
            "/call-settings",
            headers={"If-Match": if_match, "If-None-Match": if_none_match, "Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def transcript(self, id: str, *, options: RequestOptions | None = None) -> Transcript:
        """Get a call's transcript."""
        return self._transport.send(Request("GET", f"/calls/{encoded(id)}/transcript"), options)

    def replace_transcript(
        self,
        id: str,
        body: TranscriptInput,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> StoredTranscript:
        """Replace a call's transcript."""
        return self._transport.send(Request(
            "PUT",
            f"/calls/{encoded(id)}/transcript",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def get(
        self,
        id: str,
        *,
        include: Literal["instructions", ""] | None = None,
        options: RequestOptions | None = None,
    ) -> CallWithInstructions:
        """Get a call."""
        return self._transport.send(Request("GET", f"/calls/{encoded(id)}", query={"include": include}), options)

    def update(
        self,
        id: str,
        body: CallUpdate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Call:
        """Change a call's note and tags."""
        return self._transport.send(Request(
            "PATCH",
            f"/calls/{encoded(id)}",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def export(
        self,
        *,
        contact_id: str | None = None,
        identity_id: str | None = None,
        channel_id: str | None = None,
        agent_id: str | None = None,
        version_id: str | None = None,
        direction: Literal["inbound", "outbound"] | None = None,
        type: Literal["call", "message", ""] | None = None,
        status: Literal["queued", "ringing", "in_progress", "completed", "busy", "no_answer", "canceled", "failed", ""] | None = None,
        started_since: str | None = None,
        started_before: str | None = None,
        number: str | None = None,
        disposition: str | None = None,
        goal: str | None = None,
        tag: str | None = None,
        seconds_min: int | str | None = None,
        seconds_max: int | str | None = None,
        search: str | None = None,
        options: RequestOptions | None = None,
    ) -> httpx.Response:
        """Export calls."""
        return self._transport.send(Request(
            "GET",
            "/calls/export",
            query={"contact_id": contact_id, "identity_id": identity_id, "channel_id": channel_id, "agent_id": agent_id, "version_id": version_id, "direction": direction, "type": type, "status": status, "started_since": started_since, "started_before": started_before, "number": number, "disposition": disposition, "goal": goal, "tag": tag, "seconds_min": seconds_min, "seconds_max": seconds_max, "search": search},
            wants="download",
        ), options)


class AsyncCallsResource(AsyncResource):
    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        contact_id: str | None = None,
        identity_id: str | None = None,
        channel_id: str | None = None,
        agent_id: str | None = None,
        version_id: str | None = None,
        direction: Literal["inbound", "outbound"] | None = None,
        type: Literal["call", "message", ""] | None = None,
        status: Literal["queued", "ringing", "in_progress", "completed", "busy", "no_answer", "canceled", "failed", ""] | None = None,
        started_since: str | None = None,
        started_before: str | None = None,
        number: str | None = None,
        disposition: str | None = None,
        goal: str | None = None,
        tag: str | None = None,
        seconds_min: int | str | None = None,
        seconds_max: int | str | None = None,
        search: str | None = None,
        sort: Literal["started_at", "-started_at", ""] | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncRecordList[Call]:
        """List calls."""
        return AsyncRecordList(self._transport, BY_OFFSET, Request(
            "GET",
            "/calls",
            query={"limit": limit, "offset": offset, "contact_id": contact_id, "identity_id": identity_id, "channel_id": channel_id, "agent_id": agent_id, "version_id": version_id, "direction": direction, "type": type, "status": status, "started_since": started_since, "started_before": started_before, "number": number, "disposition": disposition, "goal": goal, "tag": tag, "seconds_min": seconds_min, "seconds_max": seconds_max, "search": search, "sort": sort},
            wants="json",
        ), options)

    async def statistics(
        self,
        *,
        contact_id: str | None = None,
        identity_id: str | None = None,
        channel_id: str | None = None,
        agent_id: str | None = None,
        version_id: str | None = None,
        direction: Literal["inbound", "outbound"] | None = None,
        type: Literal["call", "message", ""] | None = None,
        status: Literal["queued", "ringing", "in_progress", "completed", "busy", "no_answer", "canceled", "failed", ""] | None = None,
        started_since: str | None = None,
        started_before: str | None = None,
        number: str | None = None,
        disposition: str | None = None,
        goal: str | None = None,
        tag: str | None = None,
        seconds_min: int | str | None = None,
        seconds_max: int | str | None = None,
        search: str | None = None,
        options: RequestOptions | None = None,
    ) -> CallStatistics:
        """Count calls by status, day, duration and version."""
        return await self._transport.send(Request(
            "GET",
            "/calls/statistics",
            query={"contact_id": contact_id, "identity_id": identity_id, "channel_id": channel_id, "agent_id": agent_id, "version_id": version_id, "direction": direction, "type": type, "status": status, "started_since": started_since, "started_before": started_before, "number": number, "disposition": disposition, "goal": goal, "tag": tag, "seconds_min": seconds_min, "seconds_max": seconds_max, "search": search},
        ), options)

    def tags(self, *, options: RequestOptions | None = None) -> AsyncRecordList[CallTag]:
        """List the tags of calls."""
        return AsyncRecordList(self._transport, WHOLE, Request("GET", "/calls/tags", wants="json"), options)

    async def outcomes(
        self,
        *,
        version_id: str | None = None,
        channel_id: str | None = None,
        agent_id: str | None = None,
        since: str | None = None,
        before: str | None = None,
        options: RequestOptions | None = None,
    ) -> Outcomes:
        """Count dispositions and goals by day, version and channel."""
        return await self._transport.send(Request(
            "GET",
            "/outcomes",
            query={"version_id": version_id, "channel_id": channel_id, "agent_id": agent_id, "since": since, "before": before},
        ), options)

    async def settings(self, *, options: RequestOptions | None = None) -> CallSettings:
        """Get the call settings."""
        return await self._transport.send(Request("GET", "/call-settings"), options)

    async def replace_settings(
        self,
        body: CallSettingsInput,
        *,
        if_match: str | None = None,
        if_none_match: str | None = None,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> CallSettings:
        """Replace the call settings."""
        return await self._transport.send(Request(
            "PUT",
            "/call-settings",
            headers={"If-Match": if_match, "If-None-Match": if_none_match, "Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def transcript(self, id: str, *, options: RequestOptions | None = None) -> Transcript:
        """Get a call's transcript."""
        return await self._transport.send(Request("GET", f"/calls/{encoded(id)}/transcript"), options)

    async def replace_transcript(
        self,
        id: str,
        body: TranscriptInput,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> StoredTranscript:
        """Replace a call's transcript."""
        return await self._transport.send(Request(
            "PUT",
            f"/calls/{encoded(id)}/transcript",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def get(
        self,
        id: str,
        *,
        include: Literal["instructions", ""] | None = None,
        options: RequestOptions | None = None,
    ) -> CallWithInstructions:
        """Get a call."""
        return await self._transport.send(Request("GET", f"/calls/{encoded(id)}", query={"include": include}), options)

    async def update(
        self,
        id: str,
        body: CallUpdate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Call:
        """Change a call's note and tags."""
        return await self._transport.send(Request(
            "PATCH",
            f"/calls/{encoded(id)}",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def export(
        self,
        *,
        contact_id: str | None = None,
        identity_id: str | None = None,
        channel_id: str | None = None,
        agent_id: str | None = None,
        version_id: str | None = None,
        direction: Literal["inbound", "outbound"] | None = None,
        type: Literal["call", "message", ""] | None = None,
        status: Literal["queued", "ringing", "in_progress", "completed", "busy", "no_answer", "canceled", "failed", ""] | None = None,
        started_since: str | None = None,
        started_before: str | None = None,
        number: str | None = None,
        disposition: str | None = None,
        goal: str | None = None,
        tag: str | None = None,
        seconds_min: int | str | None = None,
        seconds_max: int | str | None = None,
        search: str | None = None,
        options: RequestOptions | None = None,
    ) -> httpx.Response:
        """Export calls."""
        return await self._transport.send(Request(
            "GET",
            "/calls/export",
            query={"contact_id": contact_id, "identity_id": identity_id, "channel_id": channel_id, "agent_id": agent_id, "version_id": version_id, "direction": direction, "type": type, "status": status, "started_since": started_since, "started_before": started_before, "number": number, "disposition": disposition, "goal": goal, "tag": tag, "seconds_min": seconds_min, "seconds_max": seconds_max, "search": search},
            wants="download",
        ), options)


class CampaignsResource(Resource):
    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        search: str | None = None,
        status: Literal["draft", "active", "paused", "finished"] | None = None,
        agent_id: str | None = None,
        sort: Literal["created_at", "-created_at", "name", "-name", "updated_at", "-updated_at"] | None = None,
        include: Literal["schedule"] | None = None,
        options: RequestOptions | None = None,
    ) -> RecordList[ListedCampaign]:
        """List campaigns."""
        return RecordList(self._transport, BY_OFFSET, Request(
            "GET",
            "/campaigns",
            query={"limit": limit, "offset": offset, "search": search, "status": status, "agent_id": agent_id, "sort": sort, "include": include},
            wants="json",
        ), options)

    def create(
        self,
        body: CampaignCreate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Campaign:
        """Create a campaign."""
        return self._transport.send(Request(
            "POST",
            "/campaigns",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def get(self, id: str, *, options: RequestOptions | None = None) -> Campaign:
        """Get a campaign."""
        return self._transport.send(Request("GET", f"/campaigns/{encoded(id)}"), options)

    def update(
        self,
        id: str,
        body: CampaignUpdate,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Campaign:
        """Update a campaign."""
        return self._transport.send(Request(
            "PATCH",
            f"/campaigns/{encoded(id)}",
            headers={"If-Match": if_match, "Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def delete(self, id: str, *, options: RequestOptions | None = None) -> Deleted:
        """Delete a campaign."""
        return self._transport.send(Request("DELETE", f"/campaigns/{encoded(id)}", is_deletion=True), options)

    def duplicate(
        self,
        id: str,
        body: CampaignDuplicate | None = None,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Campaign:
        """Duplicate a campaign."""
        return self._transport.send(Request(
            "POST",
            f"/campaigns/{encoded(id)}/duplicate",
            headers={"Idempotency-Key": idempotency_key},
            json=body or {},
            safety="key",
        ), options)

    def progress(
        self,
        id: str,
        *,
        days: int | None = None,
        options: RequestOptions | None = None,
    ) -> CampaignProgress:
        """Get the progress of a campaign."""
        return self._transport.send(Request("GET", f"/campaigns/{encoded(id)}/progress", query={"days": days}), options)

    def check_start(self, id: str, *, options: RequestOptions | None = None) -> CampaignStartCheck:
        """Check a campaign before it starts."""
        return self._transport.send(Request("GET", f"/campaigns/{encoded(id)}/start-check"), options)

    def enroll(
        self,
        id: str,
        body: EnrollmentCreate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> EnrollmentResult:
        """Enroll contacts."""
        return self._transport.send(Request(
            "POST",
            f"/campaigns/{encoded(id)}/enrollments",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def list_enrollments(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        status: Literal["pending", "in_progress", "completed", "failed", "blocked", "skipped"] | None = None,
        search: str | None = None,
        sort: Literal["contact", "-contact", "next_attempt", "-next_attempt"] | None = None,
        options: RequestOptions | None = None,
    ) -> RecordList[Enrollment]:
        """List the enrollments of a campaign."""
        return RecordList(self._transport, BY_OFFSET, Request(
            "GET",
            f"/campaigns/{encoded(id)}/enrollments",
            query={"limit": limit, "offset": offset, "status": status, "search": search, "sort": sort},
            wants="json",
        ), options)

    def update_enrollment(
        self,
        id: str,
        contact: str,
        body: EnrollmentUpdate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Enrollment:
        """Update an enrollment."""
        return self._transport.send(Request(
            "PATCH",
            f"/campaigns/{encoded(id)}/enrollments/{encoded(contact)}",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def delete_enrollment(self, id: str, contact: str, *, options: RequestOptions | None = None) -> Deleted:
        """Delete an enrollment."""
        return self._transport.send(Request(
            "DELETE",
            f"/campaigns/{encoded(id)}/enrollments/{encoded(contact)}",
            is_deletion=True,
        ), options)

    def get_schedule(self, id: str, *, options: RequestOptions | None = None) -> CampaignSchedule:
        """Get the schedule of a campaign."""
        return self._transport.send(Request("GET", f"/campaigns/{encoded(id)}/schedule"), options)

    def update_schedule(
        self,
        id: str,
        body: CampaignScheduleUpdate,
        *,
        if_match: str | None = None,
        if_none_match: str | None = None,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> CampaignSchedule:
        """Replace the schedule of a campaign."""
        return self._transport.send(Request(
            "PUT",
            f"/campaigns/{encoded(id)}/schedule",
            headers={"If-Match": if_match, "If-None-Match": if_none_match, "Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def claim(
        self,
        id: str,
        body: ClaimCreate | None = None,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> ClaimedContacts:
        """Claim contacts of a campaign."""
        return self._transport.send(Request(
            "POST",
            f"/campaigns/{encoded(id)}/claims",
            headers={"Idempotency-Key": idempotency_key},
            json=body or {},
            safety="key",
        ), options)

    def export_enrollments(
        self,
        id: str,
        *,
        status: Literal["pending", "in_progress", "completed", "failed", "blocked", "skipped"] | None = None,
        options: RequestOptions | None = None,
    ) -> httpx.Response:
        """Export the enrollments of a campaign."""
        return self._transport.send(Request(
            "GET",
            f"/campaigns/{encoded(id)}/enrollments/export",
            query={"status": status},
            wants="download",
        ), options)


class AsyncCampaignsResource(AsyncResource):
    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        search: str | None = None,
        status: Literal["draft", "active", "paused", "finished"] | None = None,
        agent_id: str | None = None,
        sort: Literal["created_at", "-created_at", "name", "-name", "updated_at", "-updated_at"] | None = None,
        include: Literal["schedule"] | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncRecordList[ListedCampaign]:
        """List campaigns."""
        return AsyncRecordList(self._transport, BY_OFFSET, Request(
            "GET",
            "/campaigns",
            query={"limit": limit, "offset": offset, "search": search, "status": status, "agent_id": agent_id, "sort": sort, "include": include},
            wants="json",
        ), options)

    async def create(
        self,
        body: CampaignCreate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Campaign:
        """Create a campaign."""
        return await self._transport.send(Request(
            "POST",
            "/campaigns",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def get(self, id: str, *, options: RequestOptions | None = None) -> Campaign:
        """Get a campaign."""
        return await self._transport.send(Request("GET", f"/campaigns/{encoded(id)}"), options)

    async def update(
        self,
        id: str,
        body: CampaignUpdate,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Campaign:
        """Update a campaign."""
        return await self._transport.send(Request(
            "PATCH",
            f"/campaigns/{encoded(id)}",
            headers={"If-Match": if_match, "Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def delete(self, id: str, *, options: RequestOptions | None = None) -> Deleted:
        """Delete a campaign."""
        return await self._transport.send(Request("DELETE", f"/campaigns/{encoded(id)}", is_deletion=True), options)

    async def duplicate(
        self,
        id: str,
        body: CampaignDuplicate | None = None,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Campaign:
        """Duplicate a campaign."""
        return await self._transport.send(Request(
            "POST",
            f"/campaigns/{encoded(id)}/duplicate",
            headers={"Idempotency-Key": idempotency_key},
            json=body or {},
            safety="key",
        ), options)

    async def progress(
        self,
        id: str,
        *,
        days: int | None = None,
        options: RequestOptions | None = None,
    ) -> CampaignProgress:
        """Get the progress of a campaign."""
        return await self._transport.send(Request("GET", f"/campaigns/{encoded(id)}/progress", query={"days": days}), options)

    async def check_start(self, id: str, *, options: RequestOptions | None = None) -> CampaignStartCheck:
        """Check a campaign before it starts."""
        return await self._transport.send(Request("GET", f"/campaigns/{encoded(id)}/start-check"), options)

    async def enroll(
        self,
        id: str,
        body: EnrollmentCreate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> EnrollmentResult:
        """Enroll contacts."""
        return await self._transport.send(Request(
            "POST",
            f"/campaigns/{encoded(id)}/enrollments",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def list_enrollments(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        status: Literal["pending", "in_progress", "completed", "failed", "blocked", "skipped"] | None = None,
        search: str | None = None,
        sort: Literal["contact", "-contact", "next_attempt", "-next_attempt"] | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncRecordList[Enrollment]:
        """List the enrollments of a campaign."""
        return AsyncRecordList(self._transport, BY_OFFSET, Request(
            "GET",
            f"/campaigns/{encoded(id)}/enrollments",
            query={"limit": limit, "offset": offset, "status": status, "search": search, "sort": sort},
            wants="json",
        ), options)

    async def update_enrollment(
        self,
        id: str,
        contact: str,
        body: EnrollmentUpdate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Enrollment:
        """Update an enrollment."""
        return await self._transport.send(Request(
            "PATCH",
            f"/campaigns/{encoded(id)}/enrollments/{encoded(contact)}",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def delete_enrollment(self, id: str, contact: str, *, options: RequestOptions | None = None) -> Deleted:
        """Delete an enrollment."""
        return await self._transport.send(Request(
            "DELETE",
            f"/campaigns/{encoded(id)}/enrollments/{encoded(contact)}",
            is_deletion=True,
        ), options)

    async def get_schedule(self, id: str, *, options: RequestOptions | None = None) -> CampaignSchedule:
        """Get the schedule of a campaign."""
        return await self._transport.send(Request("GET", f"/campaigns/{encoded(id)}/schedule"), options)

    async def update_schedule(
        self,
        id: str,
        body: CampaignScheduleUpdate,
        *,
        if_match: str | None = None,
        if_none_match: str | None = None,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> CampaignSchedule:
        """Replace the schedule of a campaign."""
        return await self._transport.send(Request(
            "PUT",
            f"/campaigns/{encoded(id)}/schedule",
            headers={"If-Match": if_match, "If-None-Match": if_none_match, "Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def claim(
        self,
        id: str,
        body: ClaimCreate | None = None,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> ClaimedContacts:
        """Claim contacts of a campaign."""
        return await self._transport.send(Request(
            "POST",
            f"/campaigns/{encoded(id)}/claims",
            headers={"Idempotency-Key": idempotency_key},
            json=body or {},
            safety="key",
        ), options)

    async def export_enrollments(
        self,
        id: str,
        *,
        status: Literal["pending", "in_progress", "completed", "failed", "blocked", "skipped"] | None = None,
        options: RequestOptions | None = None,
    ) -> httpx.Response:
        """Export the enrollments of a campaign."""
        return await self._transport.send(Request(
            "GET",
            f"/campaigns/{encoded(id)}/enrollments/export",
            query={"status": status},
            wants="download",
        ), options)


class ImportsResource(Resource):
    def preview_columns(
        self,
        file: Upload,
        *,
        encoding: Literal["utf-8", "utf-16le", "utf-16be", "windows-1252", "windows-1250", "windows-1251", "windows-1253", "windows-1254", "windows-1255", "windows-1256", "windows-1257", "windows-1258", "windows-874", "iso-8859-2", "iso-8859-5", "koi8-r", "koi8-u", "ibm866", "macintosh", "shift_jis", "euc-jp", "gb18030", "big5", "euc-kr"] | None = None,
        header_row: int | None = None,
        sheet: str | None = None,
        options: RequestOptions | None = None,
    ) -> ImportBeginning:
        """Preview the columns of a file."""
        return self._transport.send(Request(
            "POST",
            "/imports/columns",
            query={"encoding": encoding, "header_row": header_row, "sheet": sheet},
            content=file,
            safety="harmless",
        ), options)

    def create(
        self,
        file: Upload,
        *,
        country: Country | None = None,
        legacy: bool | None = None,
        on_existing: Literal["skip", "fill", "overwrite"] | None = None,
        tags: Literal["merge", "replace"] | None = None,
        on_invalid: Literal["omit_field", "reject_row"] | None = None,
        on_invalid_email: Literal["omit_field", "reject_row"] | None = None,
        on_duplicate: Literal["first", "last", "fill"] | None = None,
        crm: str | None = None,
        campaign_id: str | None = None,
        encoding: Literal["utf-8", "utf-16le", "utf-16be", "windows-1252", "windows-1250", "windows-1251", "windows-1253", "windows-1254", "windows-1255", "windows-1256", "windows-1257", "windows-1258", "windows-874", "iso-8859-2", "iso-8859-5", "koi8-r", "koi8-u", "ibm866", "macintosh", "shift_jis", "euc-jp", "gb18030", "big5", "euc-kr"] | None = None,
        header_row: int | None = None,
        sheet: str | None = None,
        name: str | None = None,
        mapping: Mapping[int, str | None] | str | None = None,
        create_fields: Sequence[Mapping[str, Any]] | str | None = None,
        options: RequestOptions | None = None,
    ) -> Import:
        """Upload a file and plan its import."""
        return self._transport.send(Request(
            "POST",
            "/imports",
            query={"country": country, "legacy": legacy, "on_existing": on_existing, "tags": tags, "on_invalid": on_invalid, "on_invalid_email": on_invalid_email, "on_duplicate": on_duplicate, "crm": crm, "campaign_id": campaign_id, "encoding": encoding, "header_row": header_row, "sheet": sheet, "name": name, "mapping": mapping, "create_fields": create_fields},
            content=file,
        ), options)

    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: RequestOptions | None = None,
    ) -> RecordList[Import]:
        """List imports."""
        return RecordList(self._transport, BY_OFFSET, Request("GET", "/imports", query={"limit": limit, "offset": offset}, wants="json"), options)

    def get(self, id: str, *, options: RequestOptions | None = None) -> Import:
        """Get an import."""
        return self._transport.send(Request("GET", f"/imports/{encoded(id)}"), options)

    def replan(
        self,
        id: str,
        body: ReplanImportRequest,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Import:
        """Plan an import again."""
        return self._transport.send(Request(
            "PATCH",
            f"/imports/{encoded(id)}",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def delete(self, id: str, *, options: RequestOptions | None = None) -> Deleted:
        """Delete an import."""
        return self._transport.send(Request("DELETE", f"/imports/{encoded(id)}", is_deletion=True), options)

    def list_rows(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        verdict: Literal["create", "update", "unchanged", "duplicate_in_file", "invalid"] | None = None,
        effect: Literal["created", "updated", "none", "removed", "restored", "edited_since"] | None = None,
        warnings: bool | None = None,
        reason: Literal["country_missing", "country_mismatch", "country_ambiguous", "phone_too_short", "digits_lost", "phone_missing", "phone_invalid", "email_invalid", "tags_invalid", "value_invalid", "crm_id_invalid", "crm_id_conflict", "duplicate_in_file"] | None = None,
        include: Literal["changes"] | None = None,
        options: RequestOptions | None = None,
    ) -> RecordList[ImportRow]:
        """List the rows of an import."""
        return RecordList(self._transport, BY_OFFSET, Request(
            "GET",
            f"/imports/{encoded(id)}/rows",
            query={"limit": limit, "offset": offset, "verdict": verdict, "effect": effect, "warnings": warnings, "reason": reason, "include": include},
            wants="json",
        ), options)

    def reasons(self, id: str, *, options: RequestOptions | None = None) -> ImportReasons:
        """Get the reasons of an import."""
        return self._transport.send(Request("GET", f"/imports/{encoded(id)}/reasons"), options)

    def report(
        self,
        id: str,
        *,
        verdict: Literal["create", "update", "unchanged", "duplicate_in_file", "invalid"] | None = None,
        effect: Literal["created", "updated", "none", "removed", "restored", "edited_since"] | None = None,
        warnings: bool | None = None,
        reason: Literal["country_missing", "country_mismatch", "country_ambiguous", "phone_too_short", "digits_lost", "phone_missing", "phone_invalid", "email_invalid", "tags_invalid", "value_invalid", "crm_id_invalid", "crm_id_conflict", "duplicate_in_file"] | None = None,
        options: RequestOptions | None = None,
    ) -> httpx.Response:
        """Download the report of an import."""
        return self._transport.send(Request(
            "GET",
            f"/imports/{encoded(id)}/report.csv",
            query={"verdict": verdict, "effect": effect, "warnings": warnings, "reason": reason},
            wants="download",
        ), options)

    def apply(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Import:
        """Apply an import."""
        return self._transport.send(Request(
            "POST",
            f"/imports/{encoded(id)}/apply",
            headers={"Idempotency-Key": idempotency_key},
            safety="key",
        ), options)

    def preview_undo(self, id: str, *, options: RequestOptions | None = None) -> ImportUndo:
        """Preview the undo of an import."""
        return self._transport.send(Request("GET", f"/imports/{encoded(id)}/undo"), options)

    def undo(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Import:
        """Undo an import."""
        return self._transport.send(Request(
            "POST",
            f"/imports/{encoded(id)}/undo",
            headers={"Idempotency-Key": idempotency_key},
            safety="key",
        ), options)


class AsyncImportsResource(AsyncResource):
    async def preview_columns(
        self,
        file: Upload,
        *,
        encoding: Literal["utf-8", "utf-16le", "utf-16be", "windows-1252", "windows-1250", "windows-1251", "windows-1253", "windows-1254", "windows-1255", "windows-1256", "windows-1257", "windows-1258", "windows-874", "iso-8859-2", "iso-8859-5", "koi8-r", "koi8-u", "ibm866", "macintosh", "shift_jis", "euc-jp", "gb18030", "big5", "euc-kr"] | None = None,
        header_row: int | None = None,
        sheet: str | None = None,
        options: RequestOptions | None = None,
    ) -> ImportBeginning:
        """Preview the columns of a file."""
        return await self._transport.send(Request(
            "POST",
            "/imports/columns",
            query={"encoding": encoding, "header_row": header_row, "sheet": sheet},
            content=file,
            safety="harmless",
        ), options)

    async def create(
        self,
        file: Upload,
        *,
        country: Country | None = None,
        legacy: bool | None = None,
        on_existing: Literal["skip", "fill", "overwrite"] | None = None,
        tags: Literal["merge", "replace"] | None = None,
        on_invalid: Literal["omit_field", "reject_row"] | None = None,
        on_invalid_email: Literal["omit_field", "reject_row"] | None = None,
        on_duplicate: Literal["first", "last", "fill"] | None = None,
        crm: str | None = None,
        campaign_id: str | None = None,
        encoding: Literal["utf-8", "utf-16le", "utf-16be", "windows-1252", "windows-1250", "windows-1251", "windows-1253", "windows-1254", "windows-1255", "windows-1256", "windows-1257", "windows-1258", "windows-874", "iso-8859-2", "iso-8859-5", "koi8-r", "koi8-u", "ibm866", "macintosh", "shift_jis", "euc-jp", "gb18030", "big5", "euc-kr"] | None = None,
        header_row: int | None = None,
        sheet: str | None = None,
        name: str | None = None,
        mapping: Mapping[int, str | None] | str | None = None,
        create_fields: Sequence[Mapping[str, Any]] | str | None = None,
        options: RequestOptions | None = None,
    ) -> Import:
        """Upload a file and plan its import."""
        return await self._transport.send(Request(
            "POST",
            "/imports",
            query={"country": country, "legacy": legacy, "on_existing": on_existing, "tags": tags, "on_invalid": on_invalid, "on_invalid_email": on_invalid_email, "on_duplicate": on_duplicate, "crm": crm, "campaign_id": campaign_id, "encoding": encoding, "header_row": header_row, "sheet": sheet, "name": name, "mapping": mapping, "create_fields": create_fields},
            content=file,
        ), options)

    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncRecordList[Import]:
        """List imports."""
        return AsyncRecordList(self._transport, BY_OFFSET, Request("GET", "/imports", query={"limit": limit, "offset": offset}, wants="json"), options)

    async def get(self, id: str, *, options: RequestOptions | None = None) -> Import:
        """Get an import."""
        return await self._transport.send(Request("GET", f"/imports/{encoded(id)}"), options)

    async def replan(
        self,
        id: str,
        body: ReplanImportRequest,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Import:
        """Plan an import again."""
        return await self._transport.send(Request(
            "PATCH",
            f"/imports/{encoded(id)}",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def delete(self, id: str, *, options: RequestOptions | None = None) -> Deleted:
        """Delete an import."""
        return await self._transport.send(Request("DELETE", f"/imports/{encoded(id)}", is_deletion=True), options)

    def list_rows(
        self,
        id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        verdict: Literal["create", "update", "unchanged", "duplicate_in_file", "invalid"] | None = None,
        effect: Literal["created", "updated", "none", "removed", "restored", "edited_since"] | None = None,
        warnings: bool | None = None,
        reason: Literal["country_missing", "country_mismatch", "country_ambiguous", "phone_too_short", "digits_lost", "phone_missing", "phone_invalid", "email_invalid", "tags_invalid", "value_invalid", "crm_id_invalid", "crm_id_conflict", "duplicate_in_file"] | None = None,
        include: Literal["changes"] | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncRecordList[ImportRow]:
        """List the rows of an import."""
        return AsyncRecordList(self._transport, BY_OFFSET, Request(
            "GET",
            f"/imports/{encoded(id)}/rows",
            query={"limit": limit, "offset": offset, "verdict": verdict, "effect": effect, "warnings": warnings, "reason": reason, "include": include},
            wants="json",
        ), options)

    async def reasons(self, id: str, *, options: RequestOptions | None = None) -> ImportReasons:
        """Get the reasons of an import."""
        return await self._transport.send(Request("GET", f"/imports/{encoded(id)}/reasons"), options)

    async def report(
        self,
        id: str,
        *,
        verdict: Literal["create", "update", "unchanged", "duplicate_in_file", "invalid"] | None = None,
        effect: Literal["created", "updated", "none", "removed", "restored", "edited_since"] | None = None,
        warnings: bool | None = None,
        reason: Literal["country_missing", "country_mismatch", "country_ambiguous", "phone_too_short", "digits_lost", "phone_missing", "phone_invalid", "email_invalid", "tags_invalid", "value_invalid", "crm_id_invalid", "crm_id_conflict", "duplicate_in_file"] | None = None,
        options: RequestOptions | None = None,
    ) -> httpx.Response:
        """Download the report of an import."""
        return await self._transport.send(Request(
            "GET",
            f"/imports/{encoded(id)}/report.csv",
            query={"verdict": verdict, "effect": effect, "warnings": warnings, "reason": reason},
            wants="download",
        ), options)

    async def apply(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Import:
        """Apply an import."""
        return await self._transport.send(Request(
            "POST",
            f"/imports/{encoded(id)}/apply",
            headers={"Idempotency-Key": idempotency_key},
            safety="key",
        ), options)

    async def preview_undo(self, id: str, *, options: RequestOptions | None = None) -> ImportUndo:
        """Preview the undo of an import."""
        return await self._transport.send(Request("GET", f"/imports/{encoded(id)}/undo"), options)

    async def undo(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Import:
        """Undo an import."""
        return await self._transport.send(Request(
            "POST",
            f"/imports/{encoded(id)}/undo",
            headers={"Idempotency-Key": idempotency_key},
            safety="key",
        ), options)


class EventsResource(Resource):
    def list(
        self,
        *,
        after: str | None = None,
        types: str | None = None,
        limit: int | None = None,
        wait: int | None = None,
        payload: Literal["snapshot", "thin"] | None = None,
        options: RequestOptions | None = None,
    ) -> RecordList[Event]:
        """List events."""
        return RecordList(self._transport, Paging("events"), Request(
            "GET",
            "/events",
            query={"after": after, "types": types, "limit": limit, "wait": wait, "payload": payload},
            wants="json",
        ), options)

    def get(self, id: str, *, options: RequestOptions | None = None) -> Event:
        """Get an event."""
        return self._transport.send(Request("GET", f"/events/{encoded(id)}"), options)


class AsyncEventsResource(AsyncResource):
    def list(
        self,
        *,
        after: str | None = None,
        types: str | None = None,
        limit: int | None = None,
        wait: int | None = None,
        payload: Literal["snapshot", "thin"] | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncRecordList[Event]:
        """List events."""
        return AsyncRecordList(self._transport, Paging("events"), Request(
            "GET",
            "/events",
            query={"after": after, "types": types, "limit": limit, "wait": wait, "payload": payload},
            wants="json",
        ), options)

    async def get(self, id: str, *, options: RequestOptions | None = None) -> Event:
        """Get an event."""
        return await self._transport.send(Request("GET", f"/events/{encoded(id)}"), options)


class FieldsResource(Resource):
    def list(self, *, options: RequestOptions | None = None) -> RecordList[Field]:
        """List fields."""
        return RecordList(self._transport, WHOLE, Request("GET", "/fields", wants="json"), options)

    def create(
        self,
        body: FieldCreate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Field:
        """Create a field."""
        return self._transport.send(Request(
            "POST",
            "/fields",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def get(self, key: str, *, options: RequestOptions | None = None) -> Field:
        """Get a field."""
        return self._transport.send(Request("GET", f"/fields/{encoded(key)}"), options)

    def update(
        self,
        key: str,
        body: FieldUpdate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Field:
        """Change a field."""
        return self._transport.send(Request(
            "PATCH",
            f"/fields/{encoded(key)}",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def delete(
        self,
        key: str,
        *,
        erase: bool | None = None,
        options: RequestOptions | None = None,
    ) -> FieldDeletion:
        """Delete or archive a field."""
        return self._transport.send(Request("DELETE", f"/fields/{encoded(key)}", query={"erase": erase}), options)


class AsyncFieldsResource(AsyncResource):
    def list(self, *, options: RequestOptions | None = None) -> AsyncRecordList[Field]:
        """List fields."""
        return AsyncRecordList(self._transport, WHOLE, Request("GET", "/fields", wants="json"), options)

    async def create(
        self,
        body: FieldCreate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Field:
        """Create a field."""
        return await self._transport.send(Request(
            "POST",
            "/fields",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def get(self, key: str, *, options: RequestOptions | None = None) -> Field:
        """Get a field."""
        return await self._transport.send(Request("GET", f"/fields/{encoded(key)}"), options)

    async def update(
        self,
        key: str,
        body: FieldUpdate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Field:
        """Change a field."""
        return await self._transport.send(Request(
            "PATCH",
            f"/fields/{encoded(key)}",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def delete(
        self,
        key: str,
        *,
        erase: bool | None = None,
        options: RequestOptions | None = None,
    ) -> FieldDeletion:
        """Delete or archive a field."""
        return await self._transport.send(Request("DELETE", f"/fields/{encoded(key)}", query={"erase": erase}), options)


class IntegrationsResource(Resource):
    def list(self, *, options: RequestOptions | None = None) -> RecordList[Integration]:
        """List integrations."""
        return RecordList(self._transport, WHOLE, Request("GET", "/integrations", wants="json"), options)

    def create(
        self,
        body: IntegrationCreate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> CreatedIntegration:
        """Create an integration."""
        return self._transport.send(Request(
            "POST",
            "/integrations",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def get(self, id: str, *, options: RequestOptions | None = None) -> Integration:
        """Get an integration."""
        return self._transport.send(Request("GET", f"/integrations/{encoded(id)}"), options)

    def update(
        self,
        id: str,
        body: IntegrationUpdate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Integration:
        """Rename an integration."""
        return self._transport.send(Request(
            "PATCH",
            f"/integrations/{encoded(id)}",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def delete(self, id: str, *, options: RequestOptions | None = None) -> Deleted:
        """Delete an integration."""
        return self._transport.send(Request("DELETE", f"/integrations/{encoded(id)}", is_deletion=True), options)

    def rotate_secret(
        self,
        id: str,
        body: RotateIntegrationSecretRequest | None = None,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> CreatedIntegration:
        """Rotate the secret of an integration."""
        return self._transport.send(Request(
            "POST",
            f"/integrations/{encoded(id)}/rotate-secret",
            headers={"Idempotency-Key": idempotency_key},
            json=body or {},
            safety="key",
        ), options)

    def revoke_old_secret(self, id: str, *, options: RequestOptions | None = None) -> Integration:
        """Revoke the old secret of an integration."""
        return self._transport.send(Request("DELETE", f"/integrations/{encoded(id)}/old-secret"), options)


class AsyncIntegrationsResource(AsyncResource):
    def list(self, *, options: RequestOptions | None = None) -> AsyncRecordList[Integration]:
        """List integrations."""
        return AsyncRecordList(self._transport, WHOLE, Request("GET", "/integrations", wants="json"), options)

    async def create(
        self,
        body: IntegrationCreate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> CreatedIntegration:
        """Create an integration."""
        return await self._transport.send(Request(
            "POST",
            "/integrations",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def get(self, id: str, *, options: RequestOptions | None = None) -> Integration:
        """Get an integration."""
        return await self._transport.send(Request("GET", f"/integrations/{encoded(id)}"), options)

    async def update(
        self,
        id: str,
        body: IntegrationUpdate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Integration:
        """Rename an integration."""
        return await self._transport.send(Request(
            "PATCH",
            f"/integrations/{encoded(id)}",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def delete(self, id: str, *, options: RequestOptions | None = None) -> Deleted:
        """Delete an integration."""
        return await self._transport.send(Request("DELETE", f"/integrations/{encoded(id)}", is_deletion=True), options)

    async def rotate_secret(
        self,
        id: str,
        body: RotateIntegrationSecretRequest | None = None,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> CreatedIntegration:
        """Rotate the secret of an integration."""
        return await self._transport.send(Request(
            "POST",
            f"/integrations/{encoded(id)}/rotate-secret",
            headers={"Idempotency-Key": idempotency_key},
            json=body or {},
            safety="key",
        ), options)

    async def revoke_old_secret(self, id: str, *, options: RequestOptions | None = None) -> Integration:
        """Revoke the old secret of an integration."""
        return await self._transport.send(Request("DELETE", f"/integrations/{encoded(id)}/old-secret"), options)


class WebhooksResource(Resource):
    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        status: Literal["active", "paused", "disabled"] | None = None,
        options: RequestOptions | None = None,
    ) -> RecordList[Webhook]:
        """List webhooks."""
        return RecordList(self._transport, BY_OFFSET, Request(
            "GET",
            "/webhooks",
            query={"limit": limit, "offset": offset, "status": status},
            wants="json",
        ), options)

    def create(
        self,
        body: WebhookCreate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> CreatedWebhook:
        """Create a webhook."""
        return self._transport.send(Request(
            "POST",
            "/webhooks",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def get(self, id: str, *, options: RequestOptions | None = None) -> Webhook:
        """Get a webhook."""
        return self._transport.send(Request("GET", f"/webhooks/{encoded(id)}"), options)

    def update(
        self,
        id: str,
        body: WebhookUpdate,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Webhook:
        """Update a webhook."""
        return self._transport.send(Request(
            "PATCH",
            f"/webhooks/{encoded(id)}",
            headers={"If-Match": if_match, "Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def delete(
        self,
        id: str,
        *,
        if_match: str | None = None,
        options: RequestOptions | None = None,
    ) -> Deleted:
        """Delete a webhook."""
        return self._transport.send(Request(
            "DELETE",
            f"/webhooks/{encoded(id)}",
            headers={"If-Match": if_match},
            is_deletion=True,
        ), options)

    def rotate_secret(
        self,
        id: str,
        body: RotateWebhookSecretRequest | None = None,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> CreatedWebhook:
        """Rotate the secret of a webhook."""
        return self._transport.send(Request(
            "POST",
            f"/webhooks/{encoded(id)}/rotate-secret",
            headers={"Idempotency-Key": idempotency_key},
            json=body or {},
            safety="key",
        ), options)

    def revoke_old_secret(self, id: str, *, options: RequestOptions | None = None) -> Webhook:
        """Revoke the old secret of a webhook."""
        return self._transport.send(Request("DELETE", f"/webhooks/{encoded(id)}/old-secret"), options)

    def list_attempts(
        self,
        id: str,
        *,
        result: Literal["delivered", "failed", "gone"] | None = None,
        limit: int | None = None,
        before: int | None = None,
        options: RequestOptions | None = None,
    ) -> RecordList[WebhookAttempt]:
        """List the attempts of a webhook."""
        return RecordList(self._transport, Paging("attempts"), Request(
            "GET",
            f"/webhooks/{encoded(id)}/attempts",
            query={"result": result, "limit": limit, "before": before},
            wants="json",
        ), options)

    def get_attempt(self, id: str, attempt: str, *, options: RequestOptions | None = None) -> WebhookAttemptDetails:
        """Get an attempt of a webhook."""
        return self._transport.send(Request("GET", f"/webhooks/{encoded(id)}/attempts/{encoded(attempt)}"), options)

    def test(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> WebhookAttemptDetails:
        """Send a test event to a webhook."""
        return self._transport.send(Request(
            "POST",
            f"/webhooks/{encoded(id)}/test",
            headers={"Idempotency-Key": idempotency_key},
            safety="key",
        ), options)

    def replay(
        self,
        id: str,
        body: WebhookReplayCreate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> WebhookReplay:
        """Send events to a webhook again."""
        return self._transport.send(Request(
            "POST",
            f"/webhooks/{encoded(id)}/replay",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def cancel_replay(self, id: str, *, options: RequestOptions | None = None) -> Webhook:
        """Cancel the replay of a webhook."""
        return self._transport.send(Request("DELETE", f"/webhooks/{encoded(id)}/replay"), options)


class AsyncWebhooksResource(AsyncResource):
    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        status: Literal["active", "paused", "disabled"] | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncRecordList[Webhook]:
        """List webhooks."""
        return AsyncRecordList(self._transport, BY_OFFSET, Request(
            "GET",
            "/webhooks",
            query={"limit": limit, "offset": offset, "status": status},
            wants="json",
        ), options)

    async def create(
        self,
        body: WebhookCreate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> CreatedWebhook:
        """Create a webhook."""
        return await self._transport.send(Request(
            "POST",
            "/webhooks",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def get(self, id: str, *, options: RequestOptions | None = None) -> Webhook:
        """Get a webhook."""
        return await self._transport.send(Request("GET", f"/webhooks/{encoded(id)}"), options)

    async def update(
        self,
        id: str,
        body: WebhookUpdate,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Webhook:
        """Update a webhook."""
        return await self._transport.send(Request(
            "PATCH",
            f"/webhooks/{encoded(id)}",
            headers={"If-Match": if_match, "Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def delete(
        self,
        id: str,
        *,
        if_match: str | None = None,
        options: RequestOptions | None = None,
    ) -> Deleted:
        """Delete a webhook."""
        return await self._transport.send(Request(
            "DELETE",
            f"/webhooks/{encoded(id)}",
            headers={"If-Match": if_match},
            is_deletion=True,
        ), options)

    async def rotate_secret(
        self,
        id: str,
        body: RotateWebhookSecretRequest | None = None,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> CreatedWebhook:
        """Rotate the secret of a webhook."""
        return await self._transport.send(Request(
            "POST",
            f"/webhooks/{encoded(id)}/rotate-secret",
            headers={"Idempotency-Key": idempotency_key},
            json=body or {},
            safety="key",
        ), options)

    async def revoke_old_secret(self, id: str, *, options: RequestOptions | None = None) -> Webhook:
        """Revoke the old secret of a webhook."""
        return await self._transport.send(Request("DELETE", f"/webhooks/{encoded(id)}/old-secret"), options)

    def list_attempts(
        self,
        id: str,
        *,
        result: Literal["delivered", "failed", "gone"] | None = None,
        limit: int | None = None,
        before: int | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncRecordList[WebhookAttempt]:
        """List the attempts of a webhook."""
        return AsyncRecordList(self._transport, Paging("attempts"), Request(
            "GET",
            f"/webhooks/{encoded(id)}/attempts",
            query={"result": result, "limit": limit, "before": before},
            wants="json",
        ), options)

    async def get_attempt(self, id: str, attempt: str, *, options: RequestOptions | None = None) -> WebhookAttemptDetails:
        """Get an attempt of a webhook."""
        return await self._transport.send(Request("GET", f"/webhooks/{encoded(id)}/attempts/{encoded(attempt)}"), options)

    async def test(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> WebhookAttemptDetails:
        """Send a test event to a webhook."""
        return await self._transport.send(Request(
            "POST",
            f"/webhooks/{encoded(id)}/test",
            headers={"Idempotency-Key": idempotency_key},
            safety="key",
        ), options)

    async def replay(
        self,
        id: str,
        body: WebhookReplayCreate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> WebhookReplay:
        """Send events to a webhook again."""
        return await self._transport.send(Request(
            "POST",
            f"/webhooks/{encoded(id)}/replay",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def cancel_replay(self, id: str, *, options: RequestOptions | None = None) -> Webhook:
        """Cancel the replay of a webhook."""
        return await self._transport.send(Request("DELETE", f"/webhooks/{encoded(id)}/replay"), options)


class KeysResource(Resource):
    def list(self, *, options: RequestOptions | None = None) -> RecordList[Key]:
        """List API keys."""
        return RecordList(self._transport, WHOLE, Request("GET", "/keys", wants="json"), options)

    def create(
        self,
        body: KeyCreate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> CreatedKey:
        """Create an API key."""
        return self._transport.send(Request(
            "POST",
            "/keys",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def get(self, id: str, *, options: RequestOptions | None = None) -> Key:
        """Get an API key."""
        return self._transport.send(Request("GET", f"/keys/{encoded(id)}"), options)

    def revoke(self, id: str, *, options: RequestOptions | None = None) -> Deleted:
        """Revoke an API key."""
        return self._transport.send(Request("DELETE", f"/keys/{encoded(id)}", is_deletion=True), options)


class AsyncKeysResource(AsyncResource):
    def list(self, *, options: RequestOptions | None = None) -> AsyncRecordList[Key]:
        """List API keys."""
        return AsyncRecordList(self._transport, WHOLE, Request("GET", "/keys", wants="json"), options)

    async def create(
        self,
        body: KeyCreate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> CreatedKey:
        """Create an API key."""
        return await self._transport.send(Request(
            "POST",
            "/keys",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def get(self, id: str, *, options: RequestOptions | None = None) -> Key:
        """Get an API key."""
        return await self._transport.send(Request("GET", f"/keys/{encoded(id)}"), options)

    async def revoke(self, id: str, *, options: RequestOptions | None = None) -> Deleted:
        """Revoke an API key."""
        return await self._transport.send(Request("DELETE", f"/keys/{encoded(id)}", is_deletion=True), options)


class UsersResource(Resource):
    def list(self, *, options: RequestOptions | None = None) -> RecordList[User]:
        """List users."""
        return RecordList(self._transport, WHOLE, Request("GET", "/users", wants="json"), options)

    def create(
        self,
        body: UserInvite,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> CreatedUser:
        """Create a user."""
        return self._transport.send(Request(
            "POST",
            "/users",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def create_sign_in_link(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> SignInLink:
        """Create a sign-in link for a user."""
        return self._transport.send(Request(
            "POST",
            f"/users/{encoded(id)}/link",
            headers={"Idempotency-Key": idempotency_key},
            safety="key",
        ), options)

    def get(self, id: str, *, options: RequestOptions | None = None) -> User:
        """Get a user."""
        return self._transport.send(Request("GET", f"/users/{encoded(id)}"), options)

    def update(
        self,
        id: str,
        body: UserUpdate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> User:
        """Change the role of a user."""
        return self._transport.send(Request(
            "PATCH",
            f"/users/{encoded(id)}",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    def delete(self, id: str, *, options: RequestOptions | None = None) -> Deleted:
        """Delete a user."""
        return self._transport.send(Request("DELETE", f"/users/{encoded(id)}", is_deletion=True), options)


class AsyncUsersResource(AsyncResource):
    def list(self, *, options: RequestOptions | None = None) -> AsyncRecordList[User]:
        """List users."""
        return AsyncRecordList(self._transport, WHOLE, Request("GET", "/users", wants="json"), options)

    async def create(
        self,
        body: UserInvite,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> CreatedUser:
        """Create a user."""
        return await self._transport.send(Request(
            "POST",
            "/users",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def create_sign_in_link(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> SignInLink:
        """Create a sign-in link for a user."""
        return await self._transport.send(Request(
            "POST",
            f"/users/{encoded(id)}/link",
            headers={"Idempotency-Key": idempotency_key},
            safety="key",
        ), options)

    async def get(self, id: str, *, options: RequestOptions | None = None) -> User:
        """Get a user."""
        return await self._transport.send(Request("GET", f"/users/{encoded(id)}"), options)

    async def update(
        self,
        id: str,
        body: UserUpdate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> User:
        """Change the role of a user."""
        return await self._transport.send(Request(
            "PATCH",
            f"/users/{encoded(id)}",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)

    async def delete(self, id: str, *, options: RequestOptions | None = None) -> Deleted:
        """Delete a user."""
        return await self._transport.send(Request("DELETE", f"/users/{encoded(id)}", is_deletion=True), options)


class SettingsResource(Resource):
    def get(self, *, options: RequestOptions | None = None) -> Settings:
        """Get the settings."""
        return self._transport.send(Request("GET", "/settings"), options)

    def update(
        self,
        body: SettingsUpdate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Settings:
        """Update the settings."""
        return self._transport.send(Request(
            "PATCH",
            "/settings",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)


class AsyncSettingsResource(AsyncResource):
    async def get(self, *, options: RequestOptions | None = None) -> Settings:
        """Get the settings."""
        return await self._transport.send(Request("GET", "/settings"), options)

    async def update(
        self,
        body: SettingsUpdate,
        *,
        idempotency_key: str | None = None,
        options: RequestOptions | None = None,
    ) -> Settings:
        """Update the settings."""
        return await self._transport.send(Request(
            "PATCH",
            "/settings",
            headers={"Idempotency-Key": idempotency_key},
            json=body,
            safety="key",
        ), options)


class AuditResource(Resource):
    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        actor: str | None = None,
        subject: str | None = None,
        action: str | None = None,
        since: str | None = None,
        before: str | None = None,
        sort: Literal["at", "-at"] | None = None,
        options: RequestOptions | None = None,
    ) -> RecordList[AuditEntry]:
        """List audit entries."""
        return RecordList(self._transport, BY_OFFSET, Request(
            "GET",
            "/audit",
            query={"limit": limit, "offset": offset, "actor": actor, "subject": subject, "action": action, "since": since, "before": before, "sort": sort},
            wants="json",
        ), options)


class AsyncAuditResource(AsyncResource):
    def list(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        actor: str | None = None,
        subject: str | None = None,
        action: str | None = None,
        since: str | None = None,
        before: str | None = None,
        sort: Literal["at", "-at"] | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncRecordList[AuditEntry]:
        """List audit entries."""
        return AsyncRecordList(self._transport, BY_OFFSET, Request(
            "GET",
            "/audit",
            query={"limit": limit, "offset": offset, "actor": actor, "subject": subject, "action": action, "since": since, "before": before, "sort": sort},
            wants="json",
        ), options)


class Api:
    def __init__(self, transport: Transport) -> None:
        self.contacts = ContactsResource(transport)
        self.segments = SegmentsResource(transport)
        self.identities = IdentitiesResource(transport)
        self.merges = MergesResource(transport)
        self.bulk_jobs = BulkJobsResource(transport)
        self.duplicates = DuplicatesResource(transport)
        self.agents = AgentsResource(transport)
        self.channels = ChannelsResource(transport)
        self.calls = CallsResource(transport)
        self.campaigns = CampaignsResource(transport)
        self.imports = ImportsResource(transport)
        self.events = EventsResource(transport)
        self.fields = FieldsResource(transport)
        self.integrations = IntegrationsResource(transport)
        self.webhooks = WebhooksResource(transport)
        self.keys = KeysResource(transport)
        self.users = UsersResource(transport)
        self.settings = SettingsResource(transport)
        self.audit = AuditResource(transport)


class AsyncApi:
    def __init__(self, transport: AsyncTransport) -> None:
        self.contacts = AsyncContactsResource(transport)
        self.segments = AsyncSegmentsResource(transport)
        self.identities = AsyncIdentitiesResource(transport)
        self.merges = AsyncMergesResource(transport)
        self.bulk_jobs = AsyncBulkJobsResource(transport)
        self.duplicates = AsyncDuplicatesResource(transport)
        self.agents = AsyncAgentsResource(transport)
        self.channels = AsyncChannelsResource(transport)
        self.calls = AsyncCallsResource(transport)
        self.campaigns = AsyncCampaignsResource(transport)
        self.imports = AsyncImportsResource(transport)
        self.events = AsyncEventsResource(transport)
        self.fields = AsyncFieldsResource(transport)
        self.integrations = AsyncIntegrationsResource(transport)
        self.webhooks = AsyncWebhooksResource(transport)
        self.keys = AsyncKeysResource(transport)
        self.users = AsyncUsersResource(transport)
        self.settings = AsyncSettingsResource(transport)
        self.audit = AsyncAuditResource(transport)
