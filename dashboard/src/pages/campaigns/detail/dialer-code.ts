/** Programs that work as copied once they have a key. They place no call until `place_call` does, so they report that no one answered. */

interface Target {
  /** Of the service. */
  readonly origin: string;
  readonly campaign: string;
  /** Without one, a placeholder is shown. */
  readonly key?: string;
}

export const claimsUrl = ({ origin, campaign }: Target): string =>
  `${origin}/v1/campaigns/${campaign}/claims`;

const environment = ({ origin, key = 'rk_…' }: Target): string =>
  `export ROSTER_URL=${origin} ROSTER_KEY=${key}`;

/** For bash, with curl and jq. */
export const shellDialer = (target: Target): string => `${environment(target)}

# Your telephony: call $1, speak by the instructions $2, and return 0 if someone answered.
place_call() { echo "Call $1 here."; return 1; }

send() {
  curl -sS -X "$1" -H "Authorization: Bearer $ROSTER_KEY" -H 'Content-Type: application/json' \\
    -d "$3" "$ROSTER_URL/v1/campaigns/${target.campaign}$2"
}

while true; do
  answer=$(send POST /claims '{"limit": 1, "lease_seconds": 300, "render": true}')
  claim=$(echo "$answer" | jq -r '.data.claims[0].claim_id // empty')
  if [ -z "$claim" ]; then
    echo "$answer" | jq -r '.error.message // "No contact is due."'
    sleep 5
    continue
  fi
  contact=$(echo "$answer" | jq -r '.data.claims[0].contact.id')
  number=$(echo "$answer" | jq -r '.data.claims[0].contact.phone_number')
  if place_call "$number" "$(echo "$answer" | jq -r '.data.claims[0].instructions')"; then
    result='"status": "completed", "outcome": "answered"'
  else
    result='"status": "pending", "outcome": "no answer", "retry_at": "'$(jq -rn 'now + 3600 | floor | todate')'"'
  fi
  send PATCH "/enrollments/$contact" "{\\"claim_id\\": \\"$claim\\", $result}" | jq -c .
done`;

/** For Node, Deno and Bun, with the SDK. */
export const sdkDialer = (target: Target): string => `// Set the environment first: ${environment(target)}
import { Roster } from '@roster/client';

const roster = new Roster();
const campaign = '${target.campaign}';

/** Your telephony: call the number, speak by the instructions, and return whether someone answered. */
const placeCall = async (number: string, instructions: string): Promise<boolean> => {
  console.log(\`Call \${number} here.\`, instructions);
  return false;
};

while (true) {
  const { claims } = await roster.campaigns.claim(campaign, { lease_seconds: 300, render: true });
  for (const { claim_id, contact, instructions = '' } of claims) {
    const retry_at = new Date(Date.now() + 3_600_000).toISOString();
    const result = (await placeCall(contact.phone_number, instructions))
      ? ({ status: 'completed', outcome: 'answered' } as const)
      : ({ status: 'pending', outcome: 'no answer', retry_at } as const);
    await roster.campaigns.updateEnrollment(campaign, contact.id, { claim_id, ...result });
  }
  if (claims.length === 0) await new Promise((resolve) => setTimeout(resolve, 5_000));
}`;
