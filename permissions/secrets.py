"""Which files look as if they held secrets, by their names. Reads nothing."""

import re

SECRET_NAME = re.compile(
    r"\.env.*|.*\.env|.*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg|tfstate|tfvars|ovpn|cer|der|p8)(?:\..*)?"
    r"|id_(?:rsa|dsa|ecdsa|ed25519).*|\.?_?netrc|\.pgpass|\.my\.cnf|\.npmrc|\.pypirc|\.htpasswd|\.git-credentials"
    r"|\.aws|\.ssh|\.gnupg|\.kube|\.docker|\.azure|\.gcloud|\.vault.*|\.boto|\.s3cfg|shadow|gshadow|passwd|sudoers"
    r"|.*(?:^|[^a-z])(?:tokens?|secrets?|credentials?|passwords?|passwd|private[-_]?keys?|api[-_]?keys?)(?:[^a-z].*|$)"
    r"|service[-_]?account.*\.json|known_hosts|authorized_keys|wallet\.dat|.*\.kubeconfig|kubeconfig",
    re.DOTALL,
)


def looks_secret(path: str) -> bool:
    """Whether a name in the path looks like that of a file with keys, tokens or passwords."""
    return any(SECRET_NAME.fullmatch(name) is not None for name in path.casefold().split("/") if name)
