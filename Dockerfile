# Made by ./workbook upkeep from .devcontainer/devcontainer.json. It serves JupyterLab, and prints the address to open:
#
#   docker build --tag object-pool-workbook .
#   docker run --rm --publish 127.0.0.1:8888:8888 object-pool-workbook
#
# Your changes go when the container does. Timings in the cloud are for practice only.
FROM python:3.12.13-bookworm
RUN useradd --create-home learner && install --directory --owner=learner /workbook
WORKDIR /workbook
COPY --chown=learner . .
USER learner
RUN python workbook check
EXPOSE 8888
CMD [".venv/bin/jupyter", "lab", "--ip=0.0.0.0", "--port=8888", "--no-browser", "--LabApp.default_url=/lab/tree/notebooks/00-check-your-setup.ipynb"]
