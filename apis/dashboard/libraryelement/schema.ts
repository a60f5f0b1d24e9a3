import { z } from 'zod';
import { line } from '../../../registry/kinds/fields.js';

/** The numbers of the kinds of elements in the legacy API. */
export const PANEL = 1;
const VARIABLE = 2;

export const ElementType = line(200);
export const ElementDescription = z.string().max(100_000);

export const LibraryElementSpec = z
  .strictObject({
    name: line(500).min(1, 'must not be empty').describe('Name shown to people, once in a folder for each kind.'),
    kind: z.int().min(PANEL).max(VARIABLE).describe('1 is a panel, 2 is a variable.'),
    type: ElementType.optional().describe(
      'Type of the panel or variable, such as timeseries. It is that of the model.',
    ),
    description: ElementDescription.optional().describe('What the element shows. It is that of the model.'),
    model: z.looseObject({}).meta({
      id: 'LibraryElementModel',
      description: 'The JSON of the panel or variable, as user interfaces save it.',
    }),
  })
  .meta({ id: 'LibraryElementSpec', description: 'A panel or a variable that dashboards share.' });
export type LibraryElementSpec = z.infer<typeof LibraryElementSpec>;

/** Library elements by name: `[namespace, folded name]`. */
export const BY_NAME = 'byName';
/** Library elements by place: `[namespace, folder or '', kind, name]`. */
export const BY_PLACE = 'byPlace';
