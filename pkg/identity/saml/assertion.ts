import { z } from 'zod';
import { SignOnFailure } from '../signon/failure.js';
import { CLOCK_SKEW, type Partners } from './partner.js';

const Attributes = z.record(z.string(), z.string());
/** An element of text, as the parser of the library gives it. */
const Text = z.union([
  z.string().transform((text) => ({ _: text, $: {} as Record<string, string> })),
  z.looseObject({ _: z.string().prefault(''), $: Attributes.prefault({}) }),
]);
const Confirmation = z.looseObject({
  $: z.looseObject({ Method: z.string() }),
  SubjectConfirmationData: z.array(z.looseObject({ $: Attributes })).length(1),
});
const Attribute = z.looseObject({ $: Attributes, AttributeValue: z.array(Text).prefault([]) });

/** The parts of an assertion that are read (SAML V2.0 Core, §2.3.3). */
const Assertion = z.looseObject({
  $: z.looseObject({ ID: z.string().min(1), IssueInstant: z.string() }),
  Issuer: z.array(Text).length(1),
  Subject: z
    .array(z.looseObject({ NameID: z.array(Text).length(1), SubjectConfirmation: z.array(Confirmation).min(1) }))
    .length(1),
  Conditions: z.array(z.unknown()).length(1),
  AuthnStatement: z.array(z.looseObject({ $: Attributes })).min(1),
  AttributeStatement: z.array(z.looseObject({ Attribute: z.array(Attribute).prefault([]) })).prefault([]),
});
type Assertion = z.output<typeof Assertion>;

/** Who signed in at the provider. */
export interface CheckedAssertion {
  readonly id: string;
  readonly issuer: string;
  readonly nameId: NameId;
  /** The session at the provider; undefined if it names none. */
  readonly sessionIndex: string | undefined;
  /** When the session here has to end, in milliseconds since the epoch; undefined if the provider leaves it open. */
  readonly sessionEnds: number | undefined;
  /** The ID of the request that it answers. Undefined: the provider has begun the sign-in. */
  readonly inResponseTo: string | undefined;
  /** The values by the names of attributes, and by their friendly names. */
  readonly attributes: ReadonlyMap<string, readonly string[]>;
  /** Milliseconds since the epoch, after which nobody accepts it. */
  readonly ends: number;
}

/** What the provider calls the person, in the form in which it wants to read it again. */
export interface NameId {
  readonly value: string;
  readonly format?: string | undefined;
  readonly nameQualifier?: string | undefined;
  readonly spNameQualifier?: string | undefined;
}

/** Checks what the library does not, in an assertion whose signature is right. Throws SignOnFailure. */
export function checkAssertion(value: unknown, partners: Partners, now: number): CheckedAssertion {
  const { Assertion: found } = (value ?? {}) as { readonly Assertion?: unknown };
  const parsed = Assertion.safeParse(found);
  if (!parsed.success) throw refused(`has no ${parsed.error.issues[0]?.path.slice(0, 4).join('.') ?? 'content'}`);
  const assertion = parsed.data;
  const { idp, settings, addresses } = partners;
  const issuer = textOf(assertion.Issuer[0]);
  if (issuer !== idp.entityId) throw refused('is of another issuer');
  const issued = Date.parse(assertion.$.IssueInstant);
  const ends = issued + settings.maxIssueDelay + CLOCK_SKEW;
  if (!(issued - CLOCK_SKEW <= now)) throw refused('was issued in the future');
  if (!(now < ends)) throw refused('was issued longer ago than max_issue_delay');
  const [subject] = assertion.Subject;
  const [statement] = assertion.AuthnStatement;
  const name = subject?.NameID[0];
  return {
    id: assertion.$.ID,
    issuer,
    nameId: nameIdOf(name),
    sessionIndex: bounded(statement?.$['SessionIndex'], LONGEST),
    sessionEnds: sessionEndOf(assertion, now),
    inResponseTo: confirmed(subject?.SubjectConfirmation ?? [], addresses.acs, now),
    attributes: valuesOf(assertion),
    ends,
  };
}

const refused = (why: string): SignOnFailure => new SignOnFailure('provider', `the assertion ${why}`);
/**
 * The text as it was signed: `admin` and `admin ` are two accounts at a provider. Only white space with a line break
 * around it is left out, by which some providers indent the document.
 */
function textOf(text: { readonly _: string } | undefined): string {
  const all = text?._ ?? '';
  const isSpace = (at: number): boolean => ' \t\r\n'.includes(all.charAt(at));
  let [start, end] = [0, all.length];
  while (start < end && isSpace(start)) start++;
  while (start < end && isSpace(end - 1)) end--;
  const around = (space: string): string => (space.includes('\n') ? '' : space);
  return `${around(all.slice(0, start))}${all.slice(start, end)}${around(all.slice(end))}`;
}

/** SAML V2.0 Core, §8.3.7. */
const LONGEST_NAME_ID = 256;
const LONGEST = 500;

function nameIdOf(name: z.output<typeof Text> | undefined): NameId {
  const value = textOf(name);
  if (value.trim() === '') throw refused('names nobody');
  const { Format: format, NameQualifier: nameQualifier, SPNameQualifier: spNameQualifier } = name?.$ ?? {};
  return {
    value: bounded(value, LONGEST_NAME_ID),
    format: bounded(format, LONGEST),
    nameQualifier: bounded(nameQualifier, LONGEST),
    spNameQualifier: bounded(spNameQualifier, LONGEST),
  };
}

/** What a session keeps is one line, and never shortened. */
function bounded<T extends string | undefined>(text: T, longest: number): T {
  if (text === undefined || (text.length <= longest && !/\p{Cc}/u.test(text))) return text;
  throw refused('has a NameID or a SessionIndex that is too long');
}

/** The first end that a statement names (SAML V2.0 Profiles, §4.1.4.3). */
function sessionEndOf({ AuthnStatement: statements }: Assertion, now: number): number | undefined {
  const texts = statements.flatMap(({ $ }) => $['SessionNotOnOrAfter'] ?? []);
  if (texts.length === 0) return undefined;
  const end = Math.min(...texts.map((text) => Date.parse(text)));
  if (!(now < end)) throw refused('is of a session that has ended: SessionNotOnOrAfter is not in the future');
  return Math.min(end, LATEST);
}

/** The last time with a year of four digits. */
const LATEST = Date.UTC(9999, 11, 31);

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/** The request that the first valid confirmation names (SAML V2.0 Profiles, §4.1.4.2 and §4.1.4.3). */
function confirmed(
  confirmations: readonly z.output<typeof Confirmation>[],
  acs: string,
  now: number,
): string | undefined {
  const bearers = confirmations
    .filter(({ $ }) => $.Method === BEARER)
    .map(({ SubjectConfirmationData: [data] }) => data?.$ ?? {});
  const here = bearers.filter(({ Recipient }) => Recipient === acs);
  if (here.length === 0) throw refused('is for another recipient');
  const valid = here.find(
    ({ NotOnOrAfter = '', NotBefore }) => now < Date.parse(NotOnOrAfter) + CLOCK_SKEW && NotBefore === undefined,
  );
  if (valid === undefined) throw refused('has expired, or has no end');
  return valid['InResponseTo'];
}

/** A friendly name is only for people (SAML V2.0 Core, §2.7.3.1), so an attribute with this name goes before it. */
function valuesOf({ AttributeStatement: statements }: Assertion): CheckedAssertion['attributes'] {
  const [byName, byFriendlyName] = [new Map<string, readonly string[]>(), new Map<string, readonly string[]>()];
  const add = (to: Map<string, readonly string[]>, name: string | undefined, more: readonly string[]): void => {
    if (name !== undefined && name !== '') to.set(name, [...(to.get(name) ?? []), ...more]);
  };
  for (const { $, AttributeValue } of statements.flatMap(({ Attribute }) => Attribute)) {
    const texts = AttributeValue.map(textOf).filter((text) => text !== '');
    add(byName, $['Name'], texts);
    add(byFriendlyName, $['FriendlyName'], texts);
  }
  return new Map([...byFriendlyName, ...byName]);
}
