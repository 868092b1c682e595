// Verifies captured deliveries with npm's standardwebhooks, which shares no code with ours.
//
//   node verify.mjs URL-or-FILE [SECRET]     the secret may come from WEBHOOK_SECRET instead
//
// The input is what the sandbox lists: GET /_sandbox/callbacks/{name} or /_sandbox/webhook/{endpoint}/deliveries,
// an array of {headers, body, received_at}. Exit 0 = each delivery verifies, and a changed body does not;
// 1 = one of them fails; 2 = nothing to judge.
import { readFile } from 'node:fs/promises';
import { Webhook } from 'standardwebhooks';

const [source, secret = process.env.WEBHOOK_SECRET] = process.argv.slice(2);
if (!source || !secret) {
  console.error('usage: node verify.mjs URL-or-FILE [SECRET]');
  process.exit(2);
}

const text = /^https?:/.test(source) ? await (await fetch(source)).text() : await readFile(source, 'utf8');
const deliveries = JSON.parse(text);
if (!Array.isArray(deliveries) || deliveries.length === 0) {
  console.error('no deliveries to judge');
  process.exit(2);
}

const webhook = new Webhook(secret);
const realNow = Date.now;

/** The library allows five minutes from now; a capture is judged by the moment at which it was received. */
function at(moment, action) {
  Date.now = () => moment;
  try {
    return action();
  } finally {
    Date.now = realNow;
  }
}

function refusal(body, headers, moment) {
  try {
    at(moment, () => webhook.verify(body, headers));
    return null;
  } catch (error) {
    return error.message;
  }
}

let failed = 0;
const bodyById = new Map();
for (const { headers, body = '', received_at: receivedAt } of deliveries) {
  const id = headers['webhook-id'];
  const moment = Date.parse(receivedAt);
  const problems = [];
  const refused = refusal(body, headers, moment);
  if (refused) problems.push(`refused: ${refused}`);
  // A verifier that accepts anything would prove nothing.
  if (!refusal(`${body} `, headers, moment)) problems.push('one more space is accepted too');
  if (bodyById.has(id) && bodyById.get(id) !== body) problems.push('a repeated id has another body');
  bodyById.set(id, body);
  if (problems.length) failed += 1;
  console.log(`${problems.length ? 'FAIL' : 'ok'} ${id} ${receivedAt}${problems.map((problem) => ` - ${problem}`).join('')}`);
}
console.log(`${deliveries.length} deliveries, ${bodyById.size} ids, ${failed} failed (standardwebhooks 1.1.1)`);
process.exit(failed ? 1 : 0);
