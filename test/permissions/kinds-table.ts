/**
 * The permissions of the resource API. A row is a kind or one of its subresources, and a verb. The callers are those of the legacy table. A
 * word in brackets names a part of the objects of a kind: `own` belong to the caller, `folder` to a folder, `dashboard` to a dashboard, `team`
 * to a team, and `other` to another user. A caller who has no object of their own uses one of another user. The outcome `none` is a list or a
 * watch without the object, or a deletecollection that deletes nothing.
 */
export const KINDS_TABLE = `
#                                          anon viewer editor admin root botV botA member lead outsider
# Folders: by role
Folder get                                 401  yes    yes    yes   yes  yes  yes  yes    yes  403
Folder list                                401  yes    yes    yes   yes  yes  yes  yes    yes  403
Folder watch                               401  yes    yes    yes   yes  yes  yes  yes    yes  403
Folder create                              401  403    yes    yes   yes  403  yes  403    403  403
Folder update                              401  403    yes    yes   yes  403  yes  403    403  403
Folder patch                               401  403    yes    yes   yes  403  yes  403    403  403
Folder delete                              401  403    yes    yes   yes  403  yes  403    403  403
Folder deletecollection                    401  403    yes    yes   yes  403  yes  403    403  403
# Dashboards: by role
Dashboard get                              401  yes    yes    yes   yes  yes  yes  yes    yes  403
Dashboard list                             401  yes    yes    yes   yes  yes  yes  yes    yes  403
Dashboard watch                            401  yes    yes    yes   yes  yes  yes  yes    yes  403
Dashboard create                           401  403    yes    yes   yes  403  yes  403    403  403
Dashboard update                           401  403    yes    yes   yes  403  yes  403    403  403
Dashboard patch                            401  403    yes    yes   yes  403  yes  403    403  403
Dashboard delete                           401  403    yes    yes   yes  403  yes  403    403  403
Dashboard deletecollection                 401  403    yes    yes   yes  403  yes  403    403  403
# Alert rules: by role, as the folder that they lie in
AlertRule get                              401  yes    yes    yes   yes  yes  yes  yes    yes  403
AlertRule list                             401  yes    yes    yes   yes  yes  yes  yes    yes  403
AlertRule watch                            401  yes    yes    yes   yes  yes  yes  yes    yes  403
AlertRule create                           401  403    yes    yes   yes  403  yes  403    403  403
AlertRule update                           401  403    yes    yes   yes  403  yes  403    403  403
AlertRule patch                            401  403    yes    yes   yes  403  yes  403    403  403
AlertRule delete                           401  403    yes    yes   yes  403  yes  403    403  403
AlertRule deletecollection                 401  403    yes    yes   yes  403  yes  403    403  403
# Library elements: by role
LibraryElement get                         401  yes    yes    yes   yes  yes  yes  yes    yes  403
LibraryElement list                        401  yes    yes    yes   yes  yes  yes  yes    yes  403
LibraryElement watch                       401  yes    yes    yes   yes  yes  yes  yes    yes  403
LibraryElement create                      401  403    yes    yes   yes  403  yes  403    403  403
LibraryElement update                      401  403    yes    yes   yes  403  yes  403    403  403
LibraryElement patch                       401  403    yes    yes   yes  403  yes  403    403  403
LibraryElement delete                      401  403    yes    yes   yes  403  yes  403    403  403
LibraryElement deletecollection            401  403    yes    yes   yes  403  yes  403    403  403
# Users: for administrators of the server; all users can view themselves
User get                                   401  403    403    403   yes  403  403  403    403  403
User list                                  401  none   none   none  yes  none none none   none none
User watch                                 401  none   none   none  yes  none none none   none none
User create                                401  403    403    403   yes  403  403  403    403  403
User update                                401  403    403    403   yes  403  403  403    403  403
User patch                                 401  403    403    403   yes  403  403  403    403  403
User delete                                401  403    403    403   yes  403  403  403    403  403
User deletecollection                      401  none   none   none  yes  none none none   none none
User(own) get                              401  yes    yes    yes   yes  403  403  yes    yes  yes
User(own) list                             401  yes    yes    yes   yes  none none yes    yes  yes
User(own) watch                            401  yes    yes    yes   yes  none none yes    yes  yes
User(own) update                           401  403    403    403   yes  403  403  403    403  403
User(own) patch                            401  403    403    403   yes  403  403  403    403  403
User(own) delete                           401  403    403    403   yes  403  403  403    403  403
# Organizations: members view them, their administrators change them, administrators of the server create and delete them
Organization get                           401  yes    yes    yes   yes  yes  yes  yes    yes  403
Organization list                          401  yes    yes    yes   yes  yes  yes  yes    yes  none
Organization watch                         401  yes    yes    yes   yes  yes  yes  yes    yes  none
Organization create                        401  403    403    403   yes  403  403  403    403  403
Organization update                        401  403    403    yes   yes  403  yes  403    403  403
Organization patch                         401  403    403    yes   yes  403  yes  403    403  403
Organization delete                        401  403    403    403   yes  403  403  403    403  403
Organization deletecollection              401  none   none   none  yes  none none none   none none
Namespace get                              401  yes    yes    yes   yes  yes  yes  yes    yes  403
Namespace list                             401  yes    yes    yes   yes  yes  yes  yes    yes  none
Namespace watch                            401  yes    yes    yes   yes  yes  yes  yes    yes  none
Namespace/status get                       401  yes    yes    yes   yes  yes  yes  yes    yes  403
# Memberships: for administrators of the organization; members can view their own, but not raise it
OrganizationBinding get                    401  403    403    yes   yes  403  yes  403    403  403
OrganizationBinding list                   401  none   none   yes   yes  none yes  none   none none
OrganizationBinding watch                  401  none   none   yes   yes  none yes  none   none none
OrganizationBinding create                 401  403    403    yes   yes  403  yes  403    403  403
OrganizationBinding update                 401  403    403    yes   yes  403  yes  403    403  403
OrganizationBinding patch                  401  403    403    yes   yes  403  yes  403    403  403
OrganizationBinding delete                 401  403    403    yes   yes  403  yes  403    403  403
OrganizationBinding deletecollection       401  none   none   yes   yes  none yes  none   none none
OrganizationBinding(own) get               401  yes    yes    yes   yes  403  yes  yes    yes  403
OrganizationBinding(own) list              401  yes    yes    yes   yes  none yes  yes    yes  none
OrganizationBinding(own) watch             401  yes    yes    yes   yes  none yes  yes    yes  none
OrganizationBinding(own) create            401  403    403    409   409  403  yes  403    403  403
OrganizationBinding(own) update            401  403    403    yes   yes  403  yes  403    403  403
OrganizationBinding(own) patch             401  403    403    yes   yes  403  yes  403    403  403
# Teams: members view their own, Admins of a team manage it, administrators of the organization manage all
Team get                                   401  403    403    yes   yes  403  yes  yes    yes  403
Team list                                  401  403    403    yes   yes  403  yes  yes    yes  403
Team watch                                 401  403    403    yes   yes  403  yes  yes    yes  403
Team create                                401  403    403    yes   yes  403  yes  403    403  403
Team update                                401  403    403    yes   yes  403  yes  403    yes  403
Team patch                                 401  403    403    yes   yes  403  yes  403    yes  403
Team delete                                401  403    403    yes   yes  403  yes  403    yes  403
Team deletecollection                      401  403    403    yes   yes  403  yes  403    yes  403
TeamBinding get                            401  403    403    yes   yes  403  yes  yes    yes  403
TeamBinding list                           401  none   none   yes   yes  none yes  yes    yes  none
TeamBinding watch                          401  none   none   yes   yes  none yes  yes    yes  none
TeamBinding create                         401  403    403    yes   yes  403  yes  403    yes  403
TeamBinding update                         401  403    403    yes   yes  403  yes  403    yes  403
TeamBinding patch                          401  403    403    yes   yes  403  yes  403    yes  403
TeamBinding delete                         401  403    403    yes   yes  403  yes  403    yes  403
TeamBinding deletecollection               401  none   none   yes   yes  none yes  none   yes  none
TeamBinding(own) get                       401  403    403    yes   yes  403  yes  yes    yes  403
TeamBinding(own) list                      401  none   none   yes   yes  none yes  yes    yes  none
TeamBinding(own) create                    401  403    403    yes   yes  403  yes  403    403  403
TeamBinding(own) update                    401  403    403    yes   yes  403  yes  403    yes  403
TeamBinding(own) patch                     401  403    403    yes   yes  403  yes  403    yes  403
# Service accounts: for administrators of the organization; an account can view itself, but not raise itself
ServiceAccount get                         401  403    403    yes   yes  403  yes  403    403  403
ServiceAccount list                        401  none   none   yes   yes  none yes  none   none none
ServiceAccount watch                       401  none   none   yes   yes  none yes  none   none none
ServiceAccount create                      401  403    403    yes   yes  403  yes  403    403  403
ServiceAccount update                      401  403    403    yes   yes  403  yes  403    403  403
ServiceAccount patch                       401  403    403    yes   yes  403  yes  403    403  403
ServiceAccount delete                      401  403    403    yes   yes  403  yes  403    403  403
ServiceAccount deletecollection            401  none   none   yes   yes  none yes  none   none none
ServiceAccount(own) get                    401  403    403    yes   yes  yes  yes  403    403  403
ServiceAccount(own) list                   401  none   none   yes   yes  yes  yes  none   none none
ServiceAccount(own) update                 401  403    403    yes   yes  403  yes  403    403  403
ServiceAccount(own) patch                  401  403    403    yes   yes  403  yes  403    403  403
ServiceAccount(own) delete                 401  403    403    yes   yes  403  yes  403    403  403
ServiceAccount/token create                401  403    403    yes   yes  403  yes  403    403  403
# Roles and role bindings: for administrators of the organization; bindings on a folder or a dashboard also for its administrators
Role get                                   401  403    403    yes   yes  403  yes  403    403  403
Role list                                  401  403    403    yes   yes  403  yes  403    403  403
Role watch                                 401  403    403    yes   yes  403  yes  403    403  403
Role create                                401  403    403    yes   yes  403  yes  403    403  403
Role update                                401  403    403    yes   yes  403  yes  403    403  403
Role patch                                 401  403    403    yes   yes  403  yes  403    403  403
Role delete                                401  403    403    yes   yes  403  yes  403    403  403
Role deletecollection                      401  403    403    yes   yes  403  yes  403    403  403
RoleBinding get                            401  403    403    yes   yes  403  yes  403    403  403
RoleBinding list                           401  none   none   yes   yes  none yes  none   none none
RoleBinding watch                          401  none   none   yes   yes  none yes  none   none none
RoleBinding create                         401  403    403    yes   yes  403  yes  403    403  403
RoleBinding update                         401  403    403    yes   yes  403  yes  403    403  403
RoleBinding patch                          401  403    403    yes   yes  403  yes  403    403  403
RoleBinding delete                         401  403    403    yes   yes  403  yes  403    403  403
RoleBinding deletecollection               401  none   none   yes   yes  none yes  none   none none
RoleBinding(own) create                    401  403    403    yes   yes  403  yes  403    403  403
RoleBinding(folder) get                    401  403    403    yes   yes  403  yes  403    403  403
RoleBinding(folder) list                   401  none   none   yes   yes  none yes  none   none none
RoleBinding(folder) watch                  401  none   none   yes   yes  none yes  none   none none
RoleBinding(folder) create                 401  403    403    yes   yes  403  yes  403    403  403
RoleBinding(folder) update                 401  403    403    yes   yes  403  yes  403    403  403
RoleBinding(folder) patch                  401  403    403    yes   yes  403  yes  403    403  403
RoleBinding(folder) delete                 401  403    403    yes   yes  403  yes  403    403  403
RoleBinding(folder) deletecollection       401  none   none   yes   yes  none yes  none   none none
RoleBinding(dashboard) get                 401  403    403    yes   yes  403  yes  403    403  403
RoleBinding(dashboard) list                401  none   none   yes   yes  none yes  none   none none
RoleBinding(dashboard) watch               401  none   none   yes   yes  none yes  none   none none
RoleBinding(dashboard) create              401  403    403    yes   yes  403  yes  403    403  403
RoleBinding(dashboard) update              401  403    403    yes   yes  403  yes  403    403  403
RoleBinding(dashboard) patch               401  403    403    yes   yes  403  yes  403    403  403
RoleBinding(dashboard) delete              401  403    403    yes   yes  403  yes  403    403  403
RoleBinding(dashboard) deletecollection    401  none   none   yes   yes  none yes  none   none none
# Sign-on settings: for administrators of the server, and by grants
SSOSetting get                             401  403    403    403   yes  403  403  403    403  403
SSOSetting list                            401  403    403    403   yes  403  403  403    403  403
SSOSetting watch                           401  403    403    403   yes  403  403  403    403  403
SSOSetting create                          401  403    403    403   yes  403  403  403    403  403
SSOSetting update                          401  403    403    403   yes  403  403  403    403  403
SSOSetting patch                           401  403    403    403   yes  403  403  403    403  403
SSOSetting delete                          401  403    403    403   yes  403  403  403    403  403
SSOSetting deletecollection                401  403    403    403   yes  403  403  403    403  403
# Query history: everybody sees only their own, and all members may add to it
QueryHistory get                           401  403    403    403   yes  403  403  403    403  403
QueryHistory list                          401  none   none   none  yes  none none none   none none
QueryHistory watch                         401  none   none   none  yes  none none none   none none
QueryHistory create                        401  yes    yes    yes   yes  403  403  yes    yes  403
QueryHistory update                        401  403    403    403   yes  403  403  403    403  403
QueryHistory patch                         401  403    403    403   yes  403  403  403    403  403
QueryHistory delete                        401  403    403    403   yes  403  403  403    403  403
QueryHistory deletecollection              401  none   none   none  yes  none none none   none none
QueryHistory(own) get                      401  yes    yes    yes   yes  403  403  yes    yes  403
QueryHistory(own) list                     401  yes    yes    yes   yes  none none yes    yes  none
QueryHistory(own) watch                    401  yes    yes    yes   yes  none none yes    yes  none
QueryHistory(own) update                   401  yes    yes    yes   yes  403  403  yes    yes  403
QueryHistory(own) patch                    401  yes    yes    yes   yes  403  403  yes    yes  403
QueryHistory(own) delete                   401  yes    yes    yes   yes  403  403  yes    yes  403
QueryHistory(own) deletecollection         401  yes    yes    yes   yes  none none yes    yes  none
# Preferences: of the organization for its administrators, of a team as the team, of another user for administrators of the server
Preferences get                            401  403    403    yes   yes  403  yes  403    403  403
Preferences list                           401  none   none   yes   yes  none yes  none   none none
Preferences watch                          401  none   none   yes   yes  none yes  none   none none
Preferences create                         401  403    403    yes   yes  403  yes  403    403  403
Preferences update                         401  403    403    yes   yes  403  yes  403    403  403
Preferences patch                          401  403    403    yes   yes  403  yes  403    403  403
Preferences delete                         401  403    403    yes   yes  403  yes  403    403  403
Preferences deletecollection               401  none   none   yes   yes  none yes  none   none none
Preferences(team) get                      401  403    403    yes   yes  403  yes  yes    yes  403
Preferences(team) list                     401  none   none   yes   yes  none yes  yes    yes  none
Preferences(team) watch                    401  none   none   yes   yes  none yes  yes    yes  none
Preferences(team) create                   401  403    403    yes   yes  403  yes  403    yes  403
Preferences(team) update                   401  403    403    yes   yes  403  yes  403    yes  403
Preferences(team) patch                    401  403    403    yes   yes  403  yes  403    yes  403
Preferences(team) delete                   401  403    403    yes   yes  403  yes  403    yes  403
Preferences(team) deletecollection         401  none   none   yes   yes  none yes  none   yes  none
Preferences(other) get                     401  403    403    403   yes  403  403  403    403  403
Preferences(other) list                    401  none   none   none  yes  none none none   none none
Preferences(other) watch                   401  none   none   none  yes  none none none   none none
Preferences(other) create                  401  403    403    403   yes  403  403  403    403  403
Preferences(other) update                  401  403    403    403   yes  403  403  403    403  403
Preferences(other) patch                   401  403    403    403   yes  403  403  403    403  403
Preferences(other) delete                  401  403    403    403   yes  403  403  403    403  403
Preferences(other) deletecollection        401  none   none   none  yes  none none none   none none
# … of the caller: only members of the organization have preferences in it
Preferences(own) get                       401  yes    yes    yes   yes  403  403  yes    yes  403
Preferences(own) list                      401  yes    yes    yes   yes  none none yes    yes  none
Preferences(own) watch                     401  yes    yes    yes   yes  none none yes    yes  none
Preferences(own) create                    401  yes    yes    yes   yes  403  403  yes    yes  403
Preferences(own) update                    401  yes    yes    yes   yes  403  403  yes    yes  403
Preferences(own) patch                     401  yes    yes    yes   yes  403  403  yes    yes  403
Preferences(own) delete                    401  yes    yes    yes   yes  403  403  yes    yes  403
Preferences(own) deletecollection          401  yes    yes    yes   yes  none none yes    yes  none
`;
