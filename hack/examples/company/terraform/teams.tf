variable "teams" {
  description = "Teams by name. Who is in one of the groups at the provider becomes a member when they sign in. `permissions` has View, Edit or Admin by folder."
  type = map(object({
    title       = string
    email       = optional(string)
    groups      = list(string)
    permissions = map(string)
    roles       = optional(list(string), [])
  }))
  default = {
    developers  = { title = "Developers", groups = ["developers"], permissions = { shop = "Edit" } }
    accountants = { title = "Accountants", groups = ["accountants"], permissions = { finance = "Edit" } }
    operators = {
      title       = "Operators"
      email       = "operators@example.com"
      groups      = ["operators"]
      permissions = { operations = "Admin" }
      roles       = ["shop-alerts"]
    }
  }
}

locals {
  permissions = merge([for team, settings in var.teams : {
    for folder, permission in settings.permissions : "${folder}.team.${team}" => {
      subject = { kind = "Team", name = team }
      roleRef = { kind = "BuiltIn", name = permission }
      scope   = { folder = folder }
    }
  }]...)
  roles = merge([for team, settings in var.teams : {
    for role in settings.roles : "${team}-${role}" => {
      subject = { kind = "Team", name = team }
      roleRef = { kind = "Role", name = role }
    }
  }]...)
}

resource "kubectl_manifest" "team" {
  for_each = var.teams
  yaml_body = yamlencode({
    apiVersion = "iam.svc.app/v1beta1"
    kind       = "Team"
    metadata   = { name = each.key, namespace = var.namespace }
    spec = merge(
      { title = each.value.title, groups = each.value.groups },
      each.value.email == null ? {} : { email = each.value.email },
    )
  })
}

resource "kubectl_manifest" "shop_alerts" {
  yaml_body = yamlencode({
    apiVersion = "iam.svc.app/v1beta1"
    kind       = "Role"
    metadata   = { name = "shop-alerts", namespace = var.namespace }
    spec = {
      title = "Alert rules of the shop"
      permissions = [
        for action in ["folders:read", "alert.rules:read", "alert.rules:create", "alert.rules:write", "alert.rules:delete"] :
        { action = action, scope = "folders:uid:shop" }
      ]
    }
  })
}

resource "kubectl_manifest" "access" {
  for_each = toset(concat(keys(local.permissions), keys(local.roles)))
  yaml_body = yamlencode({
    apiVersion = "iam.svc.app/v1beta1"
    kind       = "RoleBinding"
    metadata   = { name = each.key, namespace = var.namespace }
    spec       = try(local.permissions[each.key], local.roles[each.key])
  })
  depends_on = [kubectl_manifest.folder, kubectl_manifest.team, kubectl_manifest.shop_alerts]
}
