import { flag, number, type ParameterNotes } from '../../../../registry/legacy/parameter-notes.js';
import { HEALTHS, STATES, TYPES } from './filter.js';

/** The formats of an export. */
export const FORMATS = ['yaml', 'json'] as const;

export const RULE_NOTES: ParameterNotes = {
  uid: 'The uid of the rule.',
  folderUid: 'The uid of the folder.',
  folder_uid: 'The uid of the folder.',
  group: 'The name of the group.',
  rule_group: 'The name of the group.',
  ruleUid: 'The uid of the rule.',
  rule_name: 'The title of the rule.',
  dashboard_uid: 'The uid of the dashboard that the rule names in its annotations.',
  panel_id: number('The number of the panel. It needs `dashboard_uid`.'),
  type: { description: 'Rules that alert, or rules that record.', values: Object.keys(TYPES) },
  state: { description: 'No rule is evaluated, so all of them are `inactive`.', values: STATES },
  health: { description: 'No rule is evaluated, so that of all of them is `unknown`.', values: HEALTHS },
  limit_rules: number('The most rules of a group.'),
  format: { description: 'The format of the file.', values: FORMATS, initial: 'yaml' },
  download: flag('Whether browsers store the answer as a file.'),
};
