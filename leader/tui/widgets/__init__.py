"""One small widget a file. Each shows values of `leader.core.views` and posts messages."""
