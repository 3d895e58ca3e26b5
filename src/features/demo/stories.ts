/** Users who deploy. The last one is removed: the history keeps only the id. */
export const colleagues = [
  { email: 'demo@roster.local', role: 'owner' },
  { email: 'ingrid@halden-moss.example', role: 'member' },
  { email: 'kofi@halden-moss.example', role: 'member' },
] as const;

/** Agents and their deploys: the version, the index of the user, and the note. Each version adds a paragraph to the one before it. */
export const stories = [
  {
    name: 'Order desk',
    description: 'Takes orders on the phone and says when they arrive.',
    paragraphs: [
      `You are the order desk of Halden & Moss, a coffee roaster. This caller is {{first_name}} of {{company}}.

# What you do
- Take orders for beans, filters and cleaning supplies, and say on which day they arrive.
- Send anything about a machine that does not work to Service & repairs.`,
      '# Confirm\nRepeat the whole order in one sentence and wait for a yes. Nothing is ordered before it.',
      '# Prices\nRead prices out when asked. Never offer a discount.',
      '# Not in stock\nOffer the nearest roast from the same origin.',
      '# Hand over\nTell Service & repairs in one sentence what was said.',
      '# Manner\nFriendly and brief. One question at a time.',
    ],
    deploys: [
      [1, 2, 'First try, mornings only.'],
      [2, 2, 'Waits for a yes before it orders anything.'],
      [4, 1, 'Says what to do when something is not in stock.'],
      [5, 1, 'Hands over with a sentence, so that callers do not repeat themselves.'],
    ],
  },
  {
    name: 'Service & repairs',
    description: 'Helps with machines that do not work, and books technicians.',
    paragraphs: [
      `You take calls for Service & repairs at Halden & Moss, often while guests are waiting.

# Find out
- Whether anyone is hurt, or water is escaping. If so, have them switch the machine off at the wall.`,
      '# When that does not help\nBook a technician. If there is none within four hours, offer the loan machine.',
      '# Manner\nSay before each step what they should hear or see.',
      '# Photographs\nAsk for a photograph of the plate.',
    ],
    deploys: [
      [1, 1, null],
      [2, 1, 'Loan machines.'],
      [3, 0, 'Callers asked what they should hear. Now it says so.'],
      [4, 1, 'Photographs of the plate.'],
      [3, 0, 'Back: wet hands and photographs do not go together.'],
    ],
  },
  {
    name: 'Tasting invitations',
    description: 'Calls customers and invites them to the roastery.',
    paragraphs: [
      `You invite customers of Halden & Moss to a tasting. You are calling {{first_name}} of {{company}}.

1. Say who you are and that you are an assistant, in the first sentence.
2. Ask whether it is a good moment. If it is not, offer to send the invitation to {{email}} instead.`,
      'Do not talk about prices or open invoices. Do not try twice. A no is a no.',
    ],
    deploys: [
      [1, 0, 'For the grinder check-up list first.'],
      [2, 0, 'No prices.'],
    ],
  },
  {
    name: 'Accounts & invoices',
    description: 'Answers messages about invoices. Not live yet.',
    paragraphs: [
      'You answer messages to Accounts at Halden & Moss. Speak about an account only with its own number.',
      'Plain and exact: answer the question first, then explain.',
    ],
    deploys: [],
  },
] as const;
