import { canonicalJson } from '../../pkg/kube/json/canonical.js';
import type { ReferenceProgram } from '../harness/reference-program.js';
import type { Result, Sequence } from './sequences.js';
import { openApiOf, type StructuralSequence } from './structural-sequences.js';

/** Sorts the conflicts, whose order is random in the reference, and leaves out the texts of other errors. */
export function comparable({ error, causes = [], object, managed }: Result): string {
  if (error?.startsWith('refused: ')) return canonicalJson({ error: 'refused' });
  return canonicalJson({ error, causes: causes.map(canonicalJson).sort(), object, managed });
}

/** The results of the reference for each sequence. */
export function resultsOf(
  reference: ReferenceProgram,
  sequences: readonly Pick<Sequence, 'schema' | 'writes'>[],
): Promise<readonly (readonly Result[])[]> {
  return reference.ask(sequences.map(({ schema, writes }) => ({ schema, writes })));
}

/** The same for sequences of custom objects. */
export function structuralResultsOf(
  reference: ReferenceProgram,
  sequences: readonly Pick<StructuralSequence, 'structural' | 'writes'>[],
): Promise<readonly (readonly Result[])[]> {
  return reference.ask(sequences.map(({ structural, writes }) => ({ openapi: openApiOf(structural), writes })));
}
