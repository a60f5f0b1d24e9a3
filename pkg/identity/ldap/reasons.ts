import { ResultCodeError } from 'ldapts';

/** What an operator can do about a result code of RFC 4511. */
const ADVICE: ReadonlyMap<number, string> = new Map([
  [1, 'it wants another account than that of bind_dn, or it has a fault of its own'],
  [2, 'it does not understand the request; where start_tls is set, it may not offer StartTLS'],
  [3, 'the search takes longer than it allows'],
  [4, 'it sends fewer entries than there are: raise its size limit for bind_dn'],
  [8, 'it wants an account (bind_dn), or encryption (use_ssl or start_tls)'],
  [11, 'the search is more than it allows: raise its limits for bind_dn'],
  [13, 'it wants encryption: set use_ssl or start_tls'],
  [34, 'one of search_base_dns is no distinguished name'],
  [50, 'bind_dn may not search'],
  [53, 'it refuses the request: it may want an account (bind_dn)'],
]);

/** The reason of a failure, for an operator. Of a result of the directory, it contains no text of the directory. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof ResultCodeError)) return error instanceof Error ? error.message : String(error);
  const advice = ADVICE.get(error.code);
  return `the directory answers with result code ${error.code}${advice === undefined ? '' : `: ${advice}`}`;
}
